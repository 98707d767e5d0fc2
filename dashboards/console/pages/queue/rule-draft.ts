import type { Api } from '#console/api/api.d.ts';
import { spell } from '#console/ui/time.tsx';

export type Rule = Api['GET /v1/queues/{name}/rules']['answer']['data'][number];
type RuleBody = Api['PUT /v1/queues/{name}/rules']['body'];

/** Contents of the form for a rule, as they are typed; empty is not bounded. */
export interface RuleDraft {
  readonly kind: Rule['kind'];
  readonly name: string;
  readonly weight: string;
  readonly concurrency: string;
  readonly jobs: string;
  readonly seconds: string;
  readonly paused: boolean;
  readonly reason: string;
}

const typed = (value: number | null | undefined): string => (value === null || value === undefined ? '' : `${value}`);

/** The form for a rule that is there, or for a new one. */
export function draftOf(rule: Partial<Rule> & Pick<Rule, 'kind'>): RuleDraft {
  return {
    kind: rule.kind,
    name: rule.name ?? '',
    weight: typed(rule.weight),
    concurrency: typed(rule.concurrency),
    jobs: typed(rule.rate?.jobs),
    seconds: typed(rule.rate?.per_seconds ?? 60),
    paused: rule.paused ?? false,
    reason: rule.reason ?? '',
  };
}

/** Body of the request for a draft: the whole rule. */
export function bodyOf({ kind, name, weight, concurrency, jobs, seconds, paused, reason }: RuleDraft): RuleBody {
  return {
    kind,
    ...(kind !== 'queue' && { name: name.trim() }),
    ...(kind === 'group' && weight !== '' && { weight: Number(weight) }),
    ...(concurrency !== '' && { concurrency: Number(concurrency) }),
    ...(jobs !== '' && { rate: { jobs: Number(jobs), per_seconds: Number(seconds) } }),
    paused,
    ...(reason.trim() !== '' && { reason: reason.trim() }),
  };
}

/** Words for whose rule it is. */
export function whoseOf({ kind, name }: Pick<Rule, 'kind' | 'name'>): string {
  if (kind === 'queue') return 'The queue';
  return name === '*' ? `Each ${kind} without a rule` : `${kind[0]!.toUpperCase()}${kind.slice(1)} ${name}`;
}

/** Words for a rate; empty where there is none. */
export function rateOf({ rate }: Pick<Rule, 'rate'>): string {
  return rate === null ? '' : `${rate.jobs.toLocaleString()} in ${spell(rate.per_seconds)}`;
}
