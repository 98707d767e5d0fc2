import { sql } from 'slonik';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readOwnerEvents } from '#src/governance/owners/owner-log.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { type Principal, scopes } from '#src/lib/principal.ts';
import type { OperateInput } from '#src/studio/edge/inputs.ts';
import { operate } from '#src/studio/operate/operate-tool.ts';
import { type TestApi, testApi } from '#test/http/api.ts';
import { askedCall, grant, outputOf, type Rendered, renderedWork } from '#test/studio/work.ts';

let api: TestApi;
let headers: { 'x-api-key': string };
let work: Rendered;
beforeAll(async () => {
  api = await testApi();
  ({ headers } = await api.key());
  work = await renderedWork(api, headers);
});
afterAll(async () => await api[Symbol.asyncDispose]());

const principal = (more: Partial<Principal> = {}): Principal => ({
  owner: 'owner-1',
  keyId: null,
  scopes,
  operator: false,
  human: null,
  session: null,
  tier: 'standard',
  ...more,
});
const run = async (input: OperateInput, who = principal()) => {
  const { output } = await operate(api.context, who, input);
  return output as Record<string, never> & Record<string, unknown>;
};

describe('inspect_lineage', () => {
  const typesOf = async (targetType: OperateInput['targetType'], targetId: string) => {
    const { nodes, edges } = (await run({ action: 'inspect_lineage', targetType, targetId })) as unknown as {
      nodes: { id: string; type: string }[];
      edges: { from: string; to: string; relation: string }[];
    };
    const ids = new Set(nodes.map(({ id }) => id));
    expect(ids.size).toBe(nodes.length);
    for (const { from, to } of edges) expect([ids.has(from), ids.has(to)]).toEqual([true, true]);
    return { types: nodes.map(({ type }) => type).toSorted(), edges };
  };

  test('goes from the brief to the receipt', async () => {
    const { types, edges } = await typesOf('brief', work.brief);
    expect(types).toEqual(['approval', 'asset', 'brief', 'call', 'job', 'job', 'plan', 'receipt']);
    expect(edges).toEqual(
      expect.arrayContaining([
        { from: work.brief, to: work.plan, relation: 'planned' },
        { from: work.plan, to: work.approval, relation: 'asked for' },
        { from: work.approval, to: work.render, relation: 'let run' },
        { from: work.plan, to: work.render, relation: 'ran' },
        { from: work.render, to: work.call, relation: 'ran' },
        { from: work.call, to: work.asset, relation: 'made' },
        { from: work.render, to: `receipt ${work.render}`, relation: 'sealed' },
      ]),
    );
  });

  test.for(['plan', 'render', 'call', 'asset'] as const)('of the %s is the same work', async (of) => {
    const type = of === 'render' || of === 'call' ? 'job' : of;
    const { types } = await typesOf(type, work[of]);
    expect(types).toEqual(['approval', 'asset', 'brief', 'call', 'job', 'job', 'plan', 'receipt']);
  });

  test('of a provider is the work it was called for', async () => {
    const { types } = await typesOf('provider', 'local-animatic');
    expect(types).toEqual(expect.arrayContaining(['plan', 'job', 'call']));
  });

  test.for(['brief', 'plan', 'render', 'asset'] as const)('of another owner’s %s is unknown', async (of) => {
    const targetType = of === 'render' ? 'job' : of;
    const input = { action: 'inspect_lineage', targetType, targetId: work[of] } as const;
    await expect(run(input, principal({ owner: 'owner-2' }))).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('cancel_job', () => {
  const waiting = async () => {
    const output = await outputOf(api, headers, 'render', { planId: work.plan, dryRun: false });
    return String(output['job']?.['id']);
  };

  test('cancels a job that waits, with what it has under way', async () => {
    const id = await waiting();
    const call = await askedCall(api.context, 'owner-1', work.plan, id);
    const output = await run({ action: 'cancel_job', targetType: 'job', targetId: id });
    expect(output).toMatchObject({
      job: { id, status: 'cancelled' },
      children: [{ id: call, status: 'cancelled' }],
    });
    expect(await readJob(api.context, id)).toMatchObject({ state: 'cancelled' });
  });

  test('is not for another’s, for one that has ended, nor without the scope that asks for such work', async () => {
    const id = await waiting();
    const input = { action: 'cancel_job', targetType: 'job', targetId: id } as const;
    await expect(run(input, principal({ owner: 'owner-2' }))).rejects.toMatchObject({ code: 'not_found' });
    await expect(run(input, principal({ scopes: ['studio.plan'] }))).rejects.toMatchObject({ code: 'forbidden' });
    await expect(run({ ...input, targetId: work.render })).rejects.toMatchObject({ code: 'state_conflict' });
    await expect(run({ ...input, targetType: 'plan' })).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('rerun_plan', () => {
  test('plans the same brief again and makes a dry run, never an execution', async () => {
    const jobs = async () => (await outputOf(api, headers, 'monitoring'))['jobs']?.['counts'];
    const before = await jobs();
    const output = await run({ action: 'rerun_plan', targetType: 'plan', targetId: work.plan });
    expect(output).toMatchObject({
      plan: { briefId: work.brief, budgetUsd: 1 },
      previousPlan: { id: work.plan },
      approval: { status: 'pending', kind: 'render' },
      outbox: { maxCostUsd: 1 },
      executed: false,
    });
    expect((output['plan'] as unknown as { id: string }).id).not.toBe(work.plan);
    expect(await jobs()).toEqual(before);
  });

  test('takes another policy and budget as a plan does', async () => {
    const input = { action: 'rerun_plan', targetType: 'plan', targetId: work.plan } as const;
    const output = await run({ ...input, params: { routePolicy: 'cost_guarded', budgetUsd: 2 } });
    expect(output).toMatchObject({ plan: { routePolicy: 'cost_guarded', budgetUsd: 2 } });
    for (const params of [{ routePolicy: 'cheap' }, { budgetUsd: -1 }])
      await expect(run({ ...input, params })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('params are free-form: what is none of a plan changes nothing and is named', async () => {
    const input = { action: 'rerun_plan', targetType: 'plan', targetId: work.plan } as const;
    const params = { note: 'for the archive', budgetUsd: 3, ticket: { id: 7 } };
    const { output, warnings } = await operate(api.context, principal(), { ...input, params });
    expect(output).toMatchObject({ plan: { budgetUsd: 3 } });
    expect(warnings).toContain('params: rerun_plan does not read "note", "ticket"; left aside.');
    const lineage = { ...input, action: 'inspect_lineage', params: { note: 'x' } } as const;
    expect((await operate(api.context, principal(), lineage)).warnings).toContain(
      'params: inspect_lineage does not read "note"; left aside.',
    );
  });
});

test('the setup of a provider is requested, by the names of what it lacks, in the owner’s events', async () => {
  const before = (await readOwnerEvents(api.context, 'owner-1', 0, 1_000)).length;
  const output = await run({ action: 'request_provider_setup', targetType: 'provider', targetId: 'some-provider' });
  expect(output).toMatchObject({ ready: false, needs: [{ kind: 'catalogue_entry', name: 'some-provider' }] });
  const [event] = await readOwnerEvents(api.context, 'owner-1', before, 10);
  expect(event).toMatchObject({ type: 'provider.setup_requested', data: { provider: 'some-provider' } });
});

describe('verify_governance', () => {
  const verified = async (targetId: string) => await run({ action: 'verify_governance', targetType: 'job', targetId });
  const brokenBy = async (change: ReturnType<typeof sql.unsafe>, back: ReturnType<typeof sql.unsafe>) => {
    await api.context.db.query(change);
    const { findings, holds } = (await verified(work.render)) as unknown as {
      findings: { check: string }[];
      holds: boolean;
    };
    await api.context.db.query(back);
    expect(holds).toBe(findings.length === 0);
    return findings.map(({ check }) => check);
  };

  test('holds for work that went by the rules, each of which was looked at', async () => {
    const output = (await verified(work.render)) as unknown as { checks: { check: string; checked: number }[] };
    expect(output).toMatchObject({ holds: true, findings: [], jobs: 1 });
    const looked = output.checks.filter(({ checked }) => checked === 1).map(({ check }) => check);
    expect(looked.join(' ')).toBe('approval_used same_effect plan_unchanged approved_providers within_ceiling receipt');
  });

  test('finds what was changed', async () => {
    const { approval, plan, render } = work;
    expect(
      await brokenBy(
        sql.unsafe`update approvals set state = 'granted' where id = ${approval}`,
        sql.unsafe`update approvals set state = 'used' where id = ${approval}`,
      ),
    ).toEqual(['approval_used']);
    expect(
      await brokenBy(
        sql.unsafe`update approvals set effect = effect || '{"maxCostUsd": "9.000000"}' where id = ${approval}`,
        sql.unsafe`update approvals set effect = effect || '{"maxCostUsd": "1.000000"}' where id = ${approval}`,
      ),
    ).toEqual(['same_effect']);
    expect(
      await brokenBy(
        sql.unsafe`update jobs set payload = payload || '{"ceiling": 9000000}' where id = ${render}`,
        sql.unsafe`update jobs set payload = payload || '{"ceiling": 1000000}' where id = ${render}`,
      ),
    ).toEqual(['same_effect']);
    expect(
      await brokenBy(
        sql.unsafe`update studio_plans set plan = plan || '{"prompt": "Another harbour"}' where id = ${plan}`,
        sql.unsafe`update studio_plans set plan = plan || '{"prompt": "A harbour wakes"}' where id = ${plan}`,
      ),
    ).toEqual(expect.arrayContaining(['plan_unchanged']));
    expect(
      await brokenBy(
        sql.unsafe`update budgets set ceiling = 10000 where id = ${`job:${render}`}`,
        sql.unsafe`update budgets set ceiling = 1000000 where id = ${`job:${render}`}`,
      ),
    ).toEqual(['within_ceiling']);
    expect(
      await brokenBy(
        sql.unsafe`update provider_calls set provider = 'unnamed' where job = ${work.call}`,
        sql.unsafe`update provider_calls set provider = 'local-animatic' where job = ${work.call}`,
      ),
    ).toEqual(['approved_providers']);
    expect(
      await brokenBy(
        sql.unsafe`update receipts set body = jsonb_set(body, '{events,0,type}', '"something"') where id = ${render}`,
        sql.unsafe`update receipts set body = jsonb_set(body, '{events,0,type}', '"execution.accepted"') where id = ${render}`,
      ),
    ).toEqual(['receipt']);
  });

  test('a job that waits for its decision has done nothing yet', async () => {
    const { plan } = await outputOf(api, headers, 'plan', { briefId: work.brief, budgetUsd: 3 });
    const live = await outputOf(api, headers, 'render', { planId: plan?.['id'], dryRun: false });
    const output = await verified(String(live['job']?.['id']));
    expect(output).toMatchObject({ holds: true, jobs: 1 });
    await grant(api.context, String(live['job']?.['approvalRef']), 'owner-1');
  });
});
