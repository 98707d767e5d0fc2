import { AppError } from '#src/lib/errors.ts';

/** The failure of the first request under a key, repeated: the same request will never end otherwise. */
export class ReplayedFailure extends AppError {}
