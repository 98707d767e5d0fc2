import { hash } from 'node:crypto';
import { needsHumanProof } from '#src/governance/approvals/areas.ts';
import { effectHash } from '#src/governance/approvals/request-approval.ts';
import { isTerminal } from '#src/jobs/model/states.ts';
import { canonicalText } from '#src/lib/crypto/canonical-json.ts';
import { stringsOf } from '#src/lib/text/strings-of.ts';
import { renderEffect } from '#src/studio/model/render-effect.ts';
import type { GovernanceFacts } from './governance-facts.ts';

/**
 * A rule of the doctrine that a job is checked against: null where it holds, else what was expected and what is
 * recorded.
 */
export interface GovernanceCheck {
  readonly name: string;
  readonly rule: string;
  /** Says whether the rule applies to this job. */
  readonly applies: (facts: GovernanceFacts) => boolean;
  readonly judge: (facts: GovernanceFacts) => string | null;
}

/** Cancelled before it was let go: nothing live has happened. */
function wentLive({ job }: GovernanceFacts): boolean {
  return job.state !== 'awaiting_approval' && (job.state !== 'cancelled' || job.attempt > 0);
}

const usd = (millionths: number) => `${(millionths / 1e6).toFixed(6)} dollars`;

export const governanceChecks: readonly GovernanceCheck[] = [
  {
    name: 'approval_used',
    rule: 'A live job has used an approval of its own, which a person has granted.',
    applies: wentLive,
    judge: ({ job, approval }) => {
      if (!approval) return `expected an approval, got none (${job.approvalId ?? 'no reference'})`;
      if (approval.state !== 'used' || approval.job !== job.id)
        return `expected the approval ${approval.id} to be used by this job, got ${approval.state} by ${approval.job ?? 'none'}`;
      return approval.decidedBy === null ? `expected a person who granted ${approval.id}, got none` : null;
    },
  },
  {
    name: 'same_effect',
    rule: 'A job runs exactly what was approved: plan, ceiling and providers, or assets and channels.',
    applies: (facts) => wentLive(facts) && facts.approval !== null,
    judge: ({ job, approval, plan }) => {
      if (!approval) return null;
      const shown = effectHash(approval.effect);
      if (shown !== approval.effectHash)
        return `expected the effect that was shown to hash to ${approval.effectHash}, got ${shown}`;
      return job.queue === 'studio.render'
        ? renderDiffers(job.payload as { ceiling: number }, approval.effectHash, plan)
        : publishDiffers(job.payload as Publication, approval.effect);
    },
  },
  {
    name: 'plan_unchanged',
    rule: 'The plan matches its digest.',
    applies: ({ plan }) => plan !== null,
    judge: ({ plan }) => {
      const digest = plan && hash('sha256', canonicalText(plan.plan), 'hex');
      return digest === plan?.planHash ? null : `expected the plan to hash to ${plan?.planHash}, got ${digest}`;
    },
  },
  {
    name: 'human_proof',
    rule: 'Publishing, voice and likeness are granted with a proof of personhood.',
    applies: (facts) => wentLive(facts) && facts.approval !== null && needsHumanProof(facts.approval.areas),
    judge: ({ approval }) =>
      approval?.human ? null : `expected a proof of personhood with the approval ${approval?.id}, got none`,
  },
  {
    name: 'approved_providers',
    rule: 'No provider is called that the approval does not name.',
    applies: ({ calls }) => calls.length > 0,
    judge: ({ calls, approval }) => {
      const named = new Set(stringsOf(approval?.effect['providers']));
      const others = [...new Set(calls.map(({ provider }) => provider))].filter((provider) => !named.has(provider));
      return others.length === 0
        ? null
        : `expected calls of ${[...named].join(', ') || 'none'}, got ${others.join(', ')}`;
    },
  },
  {
    name: 'within_ceiling',
    rule: 'Reserved and spent money stays within the ceiling, and the budget is the cost of the calls.',
    applies: ({ budget }) => budget !== null,
    judge: ({ budget, calls, job }) => {
      if (!budget) return null;
      const { ceiling, reserved, spent } = budget;
      const cost = calls.reduce((sum, call) => sum + call.cost, 0);
      // while it runs the two are written one after the other
      if (isTerminal(job.state) && cost !== spent)
        return `expected the calls to have cost what the budget has spent (${usd(spent)}), got ${usd(cost)}`;
      if (ceiling === null || reserved + spent <= ceiling) return null;
      return `expected at most ${usd(ceiling)}, got ${usd(reserved + spent)}`;
    },
  },
  {
    name: 'receipt',
    rule: 'A live execution that has ended leaves a receipt that verifies.',
    applies: ({ job }) => isTerminal(job.state) && job.attempt > 0,
    judge: ({ attestation }) => {
      if (!attestation) return 'expected a sealed receipt, got none yet';
      const bad = [attestation.integrity, attestation.authenticity].find(({ verdict }) => verdict !== 'pass');
      return bad ? `expected a receipt that is whole and ours, got: ${bad.reason}` : null;
    },
  },
];

function renderDiffers(
  { ceiling }: { readonly ceiling: number },
  approved: string,
  plan: GovernanceFacts['plan'],
): string | null {
  if (!plan) return 'expected the plan that was approved, got none';
  const runs = effectHash(renderEffect(plan, ceiling));
  return runs === approved ? null : `expected the effect ${approved}, got ${runs}`;
}

interface Publication {
  readonly assetIds: readonly string[];
  readonly channels: readonly string[];
}

function publishDiffers({ assetIds, channels }: Publication, effect: Readonly<Record<string, unknown>>): string | null {
  const approved = effect as {
    readonly assets: readonly { readonly id: string }[];
    readonly channels: readonly string[];
  };
  const same =
    sorted(approved.assets.map(({ id }) => id)) === sorted(assetIds) && sorted(approved.channels) === sorted(channels);
  return same
    ? null
    : `expected the assets and channels of the approval, got ${assetIds.join(', ')} for ${channels.join(', ')}`;
}

function sorted(words: readonly string[]): string {
  return words.toSorted().join(' ');
}
