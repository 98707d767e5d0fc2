import { doctrine } from '#src/studio/domain/doctrine.ts';
import type { Outcome } from '#src/studio/edge/envelope.ts';
import type { Context } from '#src/system/context.ts';
import { governanceChecks } from './governance-checks.ts';
import { governanceFacts } from './governance-facts.ts';
import { MOST, type TargetScope } from './scope-of.ts';

/** One broken rule, on one job. */
interface Finding {
  readonly check: string;
  readonly job: string;
  readonly message: string;
}

/** Holds what is recorded of renders and publications against the doctrine, rule by rule. */
export async function verifyGovernance(context: Context, owner: string, scope: TargetScope): Promise<Outcome> {
  const facts = await governanceFacts(context, owner, scope.jobs);
  const findings: Finding[] = [];
  const checks = governanceChecks.map(({ name, rule, applies, judge }) => {
    const on = facts.filter(applies);
    const broken = on.flatMap((one): Finding[] => {
      const message = judge(one);
      return message === null ? [] : [{ check: name, job: one.job.id, message: `${message}.` }];
    });
    findings.push(...broken);
    return { check: name, rule, checked: on.length, broken: broken.length };
  });
  return {
    output: { holds: findings.length === 0, governance: doctrine, jobs: facts.length, checks, findings },
    warnings: [
      ...(facts.length === 0 ? ['There is no live work to hold against the doctrine.'] : []),
      ...(scope.jobs.length >= MOST ? [`Only the newest ${MOST} jobs were looked at.`] : []),
    ],
    resources: ['studio://governance/policy', 'studio://jobs/index'],
  };
}
