import type { FastifyRequest } from 'fastify';
import { describeFailure } from '#src/http/errors/describe-failure.ts';
import { AppError } from '#src/lib/errors.ts';
import { type AjvError, describeValidation } from '#src/lib/validation/describe-validation.ts';
import type { Started } from './followers.ts';
import { type Filtering, filterOf, querySubscription, readSubscription, type Subscription } from './stream-filter.ts';
import { controlMessage } from './stream-message.ts';
import type { Filter } from './stream-source.ts';

/** Subscriptions of one connection. */
const MOST_SUBSCRIPTIONS = 100;

export interface Subscriptions {
  /** Filter that takes what any of them takes. */
  readonly filter: () => Filter | null;
  /** Takes a message of the client, and answers it through `started`. */
  readonly take: (text: string, started: Started) => void;
}

/**
 * The subscriptions of a WebSocket. The query makes the first one; without a filter there that one is everything, and
 * ends with the first `subscribe`. An event that fits several comes once.
 */
export function openSubscriptions(filtering: Filtering, request: FastifyRequest): Subscriptions {
  const first = querySubscription(filtering, request.query);
  const open = new Map([[nameOf(first), first]]);
  const everything = nameOf({});
  const filter = () => filterOf(filtering, [...open.values()]);

  const subscribe = (wanted: Subscription, started: Started) => {
    open.delete(everything);
    open.set(nameOf(wanted), wanted);
    if (open.size > MOST_SUBSCRIPTIONS) {
      started.refuse(`expected at most ${MOST_SUBSCRIPTIONS} subscriptions of a connection, got one more.`);
      return;
    }
    started.tell(controlMessage('subscribed', { subscription: wanted, subscriptions: open.size }));
    started.select(filter(), true);
  };

  const unsubscribe = (wanted: Subscription, started: Started) => {
    if (!open.delete(nameOf(wanted)))
      throw new AppError(
        'not_found',
        `expected a subscription that was made in the same words, got ${nameOf(wanted)}.`,
      );
    started.tell(controlMessage('unsubscribed', { subscription: wanted, subscriptions: open.size }));
    started.select(filter(), false);
  };

  return {
    filter,
    take: (text, started) => {
      try {
        const said = readMessage(filtering, request, text);
        const wanted = readSubscription(filtering, said);
        if (said['type'] === 'subscribe') subscribe(wanted, started);
        else unsubscribe(wanted, started);
      } catch (error) {
        const { code, detail } = describeFailure(error);
        started.tell(controlMessage('error', { code, detail }));
      }
    },
  };
}

function readMessage({ message }: Filtering, request: FastifyRequest, text: string): Readonly<Record<string, unknown>> {
  const said = parse(text);
  const check = request.compileValidationSchema(message, 'body');
  if (check(said)) return said as Readonly<Record<string, unknown>>;
  throw new AppError('invalid_request', describeValidation((check.errors ?? []) as AjvError[], 'message').message);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError('invalid_request', 'message: expected a JSON object, got text that is not JSON.');
  }
}

function nameOf(subscription: Subscription): string {
  return JSON.stringify(subscription);
}
