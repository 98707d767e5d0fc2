import { AppError } from './errors.ts';

/** Record that an Idempotency-Key was used for. */
export interface Keyed {
  readonly kind: 'job' | 'mission' | 'brief' | 'plan' | 'signal';
  readonly id: string;
  /** Text after its id in a sentence: the queue of a job. */
  readonly of?: string;
}

/** The refusal of a request under a key that another request has used: it says what that one made, and what to do. */
export function idempotencyConflict(key: string | undefined, { kind, id, of }: Keyed): AppError {
  const made = [`the ${kind} ${id}`, of].filter(Boolean).join(' ');
  return new AppError(
    'idempotency_conflict',
    `The Idempotency-Key ${JSON.stringify(key)} was used before with another request, which made ${made}. Send this request with a new key, or repeat that one unchanged to get the same again.`,
    { [kind]: id },
  );
}
