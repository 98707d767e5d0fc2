import { expect, test } from 'vitest';
import { effectHash } from '#src/governance/approvals/request-approval.ts';
import { governanceChecks } from '#src/studio/operate/governance-checks.ts';
import type { GovernanceFacts } from '#src/studio/operate/governance-facts.ts';

const effect = { kind: 'publish', assets: [{ id: 'a', sha256: 'x', name: 'film' }], channels: ['linkedin', 'tiktok'] };

/** A publication that went by the rules, with what a test changes. */
function publication({ job = {}, approval = {} }: { job?: object; approval?: object } = {}): GovernanceFacts {
  return {
    job: {
      id: 'j',
      queue: 'studio.publish',
      state: 'running',
      attempt: 1,
      payload: { assetIds: ['a'], channels: ['tiktok', 'linkedin'] },
      ...job,
    },
    plan: null,
    approval: {
      id: 'p',
      state: 'used',
      job: 'j',
      decidedBy: 'ada@example.com',
      effect,
      effectHash: effectHash(effect),
      areas: [{ area: 'publishing', why: 'a test' }],
      human: { assurance: 'enrolled' },
      ...approval,
    },
    budget: null,
    calls: [],
    attestation: null,
  } as unknown as GovernanceFacts;
}

/** The rules that a publication breaks. */
function brokenBy(facts: GovernanceFacts): string[] {
  return governanceChecks
    .filter(({ applies, judge }) => applies(facts) && judge(facts) !== null)
    .map(({ name }) => name);
}

test('a publication that went by the rules keeps them, in whichever order its channels are', () => {
  expect(brokenBy(publication())).toEqual([]);
});

test('other assets, other channels, and a grant without a proof of personhood are found', () => {
  expect(brokenBy(publication({ job: { payload: { assetIds: ['b'], channels: ['linkedin', 'tiktok'] } } }))).toEqual([
    'same_effect',
  ]);
  expect(brokenBy(publication({ job: { payload: { assetIds: ['a'], channels: ['pinterest'] } } }))).toEqual([
    'same_effect',
  ]);
  expect(brokenBy(publication({ approval: { human: null } }))).toEqual(['human_proof']);
  expect(brokenBy(publication({ approval: { job: 'another' } }))).toEqual(['approval_used']);
});

test('what was cancelled before it ran has nothing to answer for', () => {
  const cancelled = publication({ job: { state: 'cancelled', attempt: 0 }, approval: { state: 'pending', job: null } });
  expect(brokenBy(cancelled)).toEqual([]);
});

test('what ended without a receipt is found', () => {
  expect(brokenBy(publication({ job: { state: 'failed' } }))).toEqual(['receipt']);
});
