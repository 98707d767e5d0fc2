/** Time for which a job holds its key, and the fate of a later one under that key. */
export interface UniqueRule {
  /** Until it begins, until it has ended, or for as long as the job is kept. */
  readonly while: 'queued' | 'unfinished' | 'forever';
  /** The job that is there is returned, gets the new payload and times unless it has begun, or the submit is refused. */
  readonly conflict: 'return' | 'replace' | 'refuse';
}

/** Makes a job the only one of its key in its queue. */
export interface Unique extends UniqueRule {
  readonly key: string;
}

/** The same for all jobs of a contract: each key is made of the payload. */
export interface UniqueByPayload extends UniqueRule {
  /** JSON pointers into the payload, such as `/order`. */
  readonly key: readonly string[];
}
