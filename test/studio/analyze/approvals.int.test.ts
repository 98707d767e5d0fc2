import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Approval, listApprovals, readApproval } from '#src/governance/approvals/approval-row.ts';
import { type Decider, decideApproval } from '#src/governance/approvals/decide-approval.ts';
import { expireApprovals } from '#src/governance/approvals/expire-approvals.ts';
import { effectHash, requestApproval } from '#src/governance/approvals/request-approval.ts';
import { useApproval } from '#src/governance/approvals/use-approval.ts';
import { readOwnerEvents } from '#src/governance/owners/owner-log.ts';
import { testApi } from '#test/http/api.ts';

let world: Awaited<ReturnType<typeof testApi>>;
beforeAll(async () => {
  world = await testApi();
});
afterAll(async () => await world[Symbol.asyncDispose]());

const person = (owner: string, more: Partial<Decider> = {}): Decider => ({
  owner,
  operator: false,
  email: `${owner}@example.com`,
  issuer: 'https://id.example.com',
  subject: owner,
  human: null,
  ...more,
});

const asked = async (owner: string, { ttlS = 600, subject = randomUUIDv7() } = {}) => {
  const effect = { kind: 'render', planId: subject };
  const { approval } = await world.context.db.transaction(
    async (tx) =>
      await requestApproval(tx, {
        owner,
        kind: 'render',
        subject,
        effect,
        areas: [{ area: 'liveProviderSpend', why: 'a test' }],
        requestedBy: 'key:test',
        ttlS,
      }),
  );
  return approval;
};

const use = async (approval: Approval, job: string, more: { owner?: string; effectHash?: string } = {}) =>
  await world.context.db.transaction(
    async (tx) =>
      await useApproval(tx, {
        id: approval.id,
        owner: approval.owner,
        kind: 'render',
        effectHash: approval.effectHash,
        job,
        ...more,
      }),
  );

test('an approval is requested, granted by a person, and used once', async () => {
  const approval = await asked('ada');
  expect(approval).toMatchObject({ state: 'pending', effectHash: effectHash(approval.effect) });
  await expect(use(approval, randomUUIDv7())).rejects.toMatchObject({ code: 'invalid_approval' });
  const granted = await decideApproval(world.context, approval.id, person('ada'), {
    decision: 'grant',
    reason: 'fine',
  });
  expect(granted).toMatchObject({ state: 'granted', decidedBy: 'ada@example.com', reason: 'fine' });
  const job = randomUUIDv7();
  expect(await use(approval, job)).toMatchObject({ type: 'approval.used' });
  // the same job again is no second use
  expect(await use(approval, job)).toBeNull();
  await expect(use(approval, randomUUIDv7())).rejects.toThrow('one that was used');
  expect(await readApproval(world.context, approval.id, 'ada')).toMatchObject({ state: 'used', job });
  const told = await readOwnerEvents(world.context, 'ada', 0, 100);
  expect(told.map(({ n, type }) => [n, type])).toEqual([
    [1, 'approval.requested'],
    [2, 'approval.granted'],
    [3, 'approval.used'],
  ]);
});

test('of many uses at once one gets it', async () => {
  const approval = await asked('race');
  await decideApproval(world.context, approval.id, person('race'), { decision: 'grant' });
  const tries = await Promise.allSettled(Array.from({ length: 12 }, () => use(approval, randomUUIDv7())));
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test("another's, and one for another effect, are refused; the former looks like one that does not exist", async () => {
  const approval = await asked('bob');
  await decideApproval(world.context, approval.id, person('bob'), { decision: 'grant' });
  await expect(use(approval, randomUUIDv7(), { owner: 'eve' })).rejects.toThrow('one that does not exist');
  await expect(use(approval, randomUUIDv7(), { effectHash: '0'.repeat(64) })).rejects.toThrow('another effect');
  await expect(
    decideApproval(world.context, approval.id, person('eve'), { decision: 'decline' }),
  ).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('it is decided once; an operator may decide for others', async () => {
  const approval = await asked('carl');
  const operator = person('boss', { operator: true });
  const tries = await Promise.allSettled([
    decideApproval(world.context, approval.id, operator, { decision: 'decline' }),
    decideApproval(world.context, approval.id, person('carl'), { decision: 'grant' }),
  ]);
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(tries.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'state_conflict' } });
});

test('asking twice for the same effect is one decision', async () => {
  const first = await asked('dora', { subject: '01a00000-0000-7000-8000-000000000001' });
  const second = await asked('dora', { subject: '01a00000-0000-7000-8000-000000000001' });
  expect(second.id).toBe(first.id);
  expect(await listApprovals(world.context, { owner: 'dora', state: null, before: null, limit: 10 })).toHaveLength(1);
});

test('an approval that is not decided in time expires, and is published', async () => {
  const approval = await asked('emil', { ttlS: 0 });
  await expect(decideApproval(world.context, approval.id, person('emil'), { decision: 'grant' })).rejects.toThrow(
    'expired',
  );
  await expect(use(approval, randomUUIDv7())).rejects.toThrow('expired');
  await expireApprovals(world.context);
  const told = await readOwnerEvents(world.context, 'emil', 0, 10);
  expect(told.map(({ type }) => type)).toEqual(['approval.requested', 'approval.expired']);
});
