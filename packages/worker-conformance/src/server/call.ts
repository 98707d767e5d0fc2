/** A request of the worker, as it came. */
export interface Call {
  readonly kind: 'contract' | 'register' | 'poll' | 'report' | 'leave';
  /** Its id, or the name of the queue of a contract. */
  readonly of: string;
  readonly body: Readonly<Record<string, unknown>>;
}
