import { AppError } from '#src/lib/errors.ts';

/** What the first request under a key failed with, told again: the same request will never end otherwise. */
export class ReplayedFailure extends AppError {}
