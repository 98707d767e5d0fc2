import { queues as compiledIn } from '#queues/index.ts';
import { AppError } from '#src/lib/errors.ts';

/** Name of a queue that a caller may register: namespace, a full stop, verb and noun. */
export const NAME = /^([a-z][a-z0-9-]{0,38})\.[a-z][a-z0-9-]{0,59}$/;

/** Namespaces in which no caller registers: ours, and what they may be called later. */
const reserved = new Set([
  ...[...compiledIn.keys()].map((name) => name.split('.')[0]),
  ...'access api governance jobs proofline receipts system workers'.split(' '),
]);

/** Checks whether the namespace of a queue's name is this product's. */
export function isReserved(name: string): boolean {
  return reserved.has(name.split('.')[0]);
}

/** Returns the namespace of a queue's name. @throws AppError `invalid_request`, or `forbidden` for one of ours. */
export function namespaceOf(name: string): string {
  const namespace = NAME.exec(name)?.[1];
  if (namespace === undefined)
    throw new AppError(
      'invalid_request',
      `name: expected <namespace>.<verb-noun> in lower case, such as acme.resize-image, got ${JSON.stringify(name.slice(0, 120))}.`,
      { field: 'path.name' },
    );
  if (!isReserved(name)) return namespace;
  throw new AppError('forbidden', `expected a namespace of your own, got ${namespace}, which is this product's.`, {
    reason: 'namespace',
    namespace,
  });
}
