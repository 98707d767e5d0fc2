import { EffectRefused } from '#src/jobs/effects/effects.ts';
import { AppError, type ErrorDetails } from '#src/lib/errors.ts';
import type { Provider } from '#src/providers/catalogue/catalogue.ts';

/**
 * Fate of the money that was reserved for a call: `released` at once, `held` as unknown (until its outcome comes, an
 * operator decides, or the rule does), or `settled` at its cost.
 */
export type MoneyAfter = 'released' | 'held' | 'settled';

interface End {
  readonly money: MoneyAfter;
  /** Explanation of this end, for docs/providers.md. */
  readonly about: string;
}

/**
 * Every way in which a call of a provider ends, and what becomes of its money. Media and text both go by it;
 * docs/providers.md has the same table, and a test holds the two equal.
 */
export const callEnds = {
  answered: { money: 'settled', about: 'the whole answer comes' },
  left: {
    money: 'settled',
    about: 'the caller leaves, or the job is cancelled, while a text is written: by what came',
  },
  unreachable: {
    money: 'released',
    about: 'no request leaves: its name is unknown, the connection is refused or not made, its key is missing here',
  },
  refused: { money: 'released', about: '400, 413, 415, 422, 451: it does not make what is requested' },
  turned_away: { money: 'released', about: 'another 4xx (not 408 and 429), or a redirect' },
  unbilled: {
    money: 'released',
    about: 'a status in `unbilledStatuses` (429 and 503 unless the catalogue says otherwise), before any output',
  },
  failed: { money: 'held', about: '408, 429 or 5xx that is not in `unbilledStatuses`' },
  timed_out: { money: 'held', about: 'no answer, or no more of it, in time' },
  broken_off: { money: 'held', about: 'the connection ends after the request left, before the whole answer is there' },
  unreadable: {
    money: 'held',
    about:
      'an answer of success that is not of its protocol: a page, other JSON, an error, a damaged or too large file',
  },
  task_failed: { money: 'held', about: 'a task ends as failed or cancelled, or takes too long' },
  task_not_begun: { money: 'released', about: 'a task ends as aborted before it began' },
  process_died: { money: 'held', about: 'our process ends in the middle, and the provider cannot be queried' },
} as const satisfies Readonly<Record<string, End>>;
export type CallEnd = keyof typeof callEnds;
/** Ends without the requested result. */
export type BadEnd = Exclude<CallEnd, 'answered' | 'left' | 'process_died'>;

/** After these a provider is taken to bill nothing, where its entry in the catalogue does not say. */
export const usuallyUnbilled: readonly number[] = [429, 503];

/** Statuses that say: what you ask for is not made here. The request was read, and nothing came of it. */
const refusals: ReadonlySet<number> = new Set([400, 413, 415, 422, 451]);

/** Returns the end of a call that was answered with a status of failure before any output. */
export function endOfStatus({ unbilledStatuses }: Pick<Provider, 'unbilledStatuses'>, status: number) {
  if (refusals.has(status)) return 'refused';
  if ((unbilledStatuses ?? usuallyUnbilled).includes(status)) return 'unbilled';
  return status >= 500 || status === 408 || status === 429 ? 'failed' : 'turned_away';
}

/**
 * Builds the error of a call that ended badly: an {@link EffectRefused} where its money is released, `provider_refused`
 * where every other provider would get the same request, `provider_failed` else.
 */
export function endedCall(
  end: BadEnd,
  message: string,
  details: ErrorDetails & { readonly provider: string },
  cause?: unknown,
): AppError {
  const code = end === 'refused' ? 'provider_refused' : 'provider_failed';
  const Ended = callEnds[end].money === 'released' ? EffectRefused : AppError;
  return new Ended(code, message, details, cause);
}

/** Returns the fate of the money of a call that ended with this error. */
export function moneyAfter(error: unknown): Exclude<MoneyAfter, 'settled'> {
  return error instanceof EffectRefused ? 'released' : 'held';
}
