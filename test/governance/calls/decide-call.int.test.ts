import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readBudget } from '#src/governance/budgets/budget-rows.ts';
import {
  type Call,
  markUnknown,
  openBudget,
  readCalls,
  release,
  reserve,
  settle,
} from '#src/governance/budgets/budgets.ts';
import { decideCall } from '#src/governance/calls/decide-call.ts';
import { endUnknownCalls } from '#src/governance/calls/end-unknown-calls.ts';
import { readOwnerEvents } from '#src/governance/owners/owner-log.ts';
import { AppError } from '#src/lib/errors.ts';
import { type TestApi, testApi } from '#test/http/api.ts';

let api: TestApi;
let operator: Readonly<Record<string, string>>;
let caller: Readonly<Record<string, string>>;
beforeAll(async () => {
  api = await testApi();
  operator = (await api.key({ owner: 'op', operator: true })).headers;
  caller = (await api.key({ owner: 'alice' })).headers;
});
afterAll(async () => await api[Symbol.asyncDispose]());

const callOf = (more: Partial<Call> = {}): Call => ({
  job: randomUUID(),
  provider: 'one',
  owner: `owner-${randomUUID()}`,
  keyId: null,
  surface: 'platform',
  capability: 'text.generate',
  budgets: [],
  quoted: 1_000,
  ...more,
});

/** A call under a budget of its own, unknown after it was reserved, holding 400 of its 1,000. */
async function unknownCall() {
  const call = callOf();
  const budget = `job:${call.job}`;
  await openBudget(api.context.db, budget, 1_000);
  await reserve(api.context, { ...call, budgets: [budget] });
  await markUnknown(api.context, call, 'the connection broke off', 400);
  const books = async () => {
    const { reserved, spent } = (await readBudget(api.context, budget)) ?? { reserved: -1, spent: -1 };
    return { reserved, spent };
  };
  const state = async () => (await readCalls(api.context, call.job))[0];
  return { call: { ...call, budgets: [budget] }, books, state };
}

const decide = async (
  { job, provider }: Call,
  verb: 'write-off' | 'bill',
  body: object | null,
  headers: Readonly<Record<string, string>> = operator,
) => {
  const url = `/v1/provider-calls/${job}/${provider}/${verb}`;
  const response = await api.app.inject({ method: 'POST', url, headers, ...(body && { payload: body }) });
  return { status: response.statusCode, body: response.json() };
};

test('an unknown call is listed with what it holds and when that ends, to operators alone', async () => {
  const { call, books } = await unknownCall();
  expect(await books()).toEqual({ reserved: 400, spent: 0 });
  const url = `/v1/provider-calls?owner=${call.owner}`;
  const { unknown, rule, data } = (await api.app.inject({ url, headers: operator })).json();
  expect(unknown.calls).toBeGreaterThan(0);
  expect(rule).toEqual({ hours: 24, end: 'written_off' });
  expect(data).toMatchObject([
    {
      job_id: call.job,
      provider: 'one',
      status: 'unknown',
      quoted_usd: 0.001,
      held_usd: 0.0004,
      billed_usd: null,
      reason: 'the connection broke off',
      decided_by: null,
    },
  ]);
  expect(Date.parse(data[0].ends_at) - Date.parse(data[0].since)).toBe(24 * 3_600_000);
  expect((await api.app.inject({ url, headers: caller })).statusCode).toBe(403);
  expect((await decide(call, 'write-off', {}, caller)).status).toBe(403);
  expect((await decide(call, 'bill', { usd: 1 }, caller)).status).toBe(403);
  expect(await books()).toEqual({ reserved: 400, spent: 0 });
  const { code } = (await api.app.inject({ url: '/v1/provider-calls?cursor=none', headers: operator })).json();
  expect(code).toBe('invalid_request');
});

test('a call is written off, or billed, once however often it is asked; another decision replaces it; who decided is logged and told', async () => {
  const { call, books } = await unknownCall();
  const logged = vi.spyOn(api.context.log, 'warn');
  const first = await decide(call, 'write-off', { reason: 'not on the invoice' });
  expect(first).toMatchObject({
    status: 200,
    body: { status: 'written_off', held_usd: 0, decided_by: 'op', decided_why: 'not on the invoice' },
  });
  expect((await decide(call, 'write-off', null)).body).toEqual(first.body);
  expect(await books()).toEqual({ reserved: 0, spent: 0 });
  expect(await decide(call, 'bill', { usd: 0.0042 })).toMatchObject({ status: 200, body: { billed_usd: 0.0042 } });
  expect((await decide(call, 'bill', { usd: 0.0042 })).body).toMatchObject({ status: 'billed', decided_by: 'op' });
  // above the ceiling of its budget: what was paid was paid
  expect(await books()).toEqual({ reserved: 0, spent: 4_200 });
  await decide(call, 'bill', { usd: 0.0001 });
  expect(await books()).toEqual({ reserved: 0, spent: 100 });
  expect(logged.mock.calls.map(([fields]) => fields)).toMatchObject([
    { audit: 'call.written_off', by: 'op', job: call.job, provider: 'one', why: 'not on the invoice' },
    { audit: 'call.billed', by: 'op', cost: '$0.004200' },
    { audit: 'call.billed', by: 'op', cost: '$0.000100' },
  ]);
  logged.mockRestore();
  const { data } = (
    await api.app.inject({ url: `/v1/provider-calls?list=decided&owner=${call.owner}`, headers: operator })
  ).json();
  expect(data[0].decisions).toMatchObject([
    { decision: 'written_off', billed_usd: 0, by: 'op', why: 'not on the invoice' },
    { decision: 'billed', billed_usd: 0.0042, by: 'op', why: null },
    { decision: 'billed', billed_usd: 0.0001, by: 'op', why: null, request_id: expect.stringMatching(/./) },
  ]);
  const told = await readOwnerEvents(api.context, call.owner, 0, 100);
  expect(told.map((event) => [event.type, (event.data as { usd: number }).usd])).toEqual([
    ['spend.reserved', 0.001],
    ['spend.unknown', 0.0004],
    ['spend.released', 0.0004],
    ['spend.settled', 0.0042],
    ['spend.settled', 0.0001],
  ]);
});

test('error: what is under way or known is not decided, and neither is an amount that is none', async () => {
  const { call, books } = await unknownCall();
  for (const usd of [-1, 1e7, '1', null]) expect((await decide(call, 'bill', { usd })).status, String(usd)).toBe(400);
  expect((await decide(call, 'bill', {})).status).toBe(400);
  const endless = await api.app.inject({
    method: 'POST',
    url: `/v1/provider-calls/${call.job}/one/bill`,
    headers: { ...operator, 'content-type': 'application/json' },
    payload: '{"usd":1e999}',
  });
  expect(endless.statusCode).toBe(400);
  expect((await decide({ ...call, provider: 'two' }, 'write-off', {})).status).toBe(404);
  expect((await decide(callOf(), 'bill', { usd: 0 })).status).toBe(404);
  await reserve(api.context, call);
  expect((await decide(call, 'write-off', {})).body).toMatchObject({ code: 'state_conflict' });
  await settle(api.context, call, { cost: 700, externalId: null });
  expect((await decide(call, 'bill', { usd: 0 })).body.detail).toContain('one itself has said that it cost $0.000700');
  expect(await books()).toEqual({ reserved: 0, spent: 700 });
});

test.for(['written_off', 'billed', 'rule'] as const)(
  'what the provider says later counts instead of the decision (%s), and is paid once',
  async (decided) => {
    const later = ['settled', 'released', 'again'] as const;
    for (const outcome of later) {
      const { call, books, state } = await unknownCall();
      if (decided === 'rule') {
        const age = sql.unsafe`update provider_calls set ended_at = now() - interval '25 hours' where job = ${call.job}`;
        await api.context.db.query(age);
        await endUnknownCalls(api.context);
      } else
        await decideCall(api.context, call, decided === 'billed' ? { end: decided, cost: 300 } : { end: decided }, {
          by: 'op',
          why: null,
        });
      expect(await books()).toEqual({ reserved: 0, spent: decided === 'billed' ? 300 : 0 });
      if (outcome === 'again') {
        // a redrive calls it again: what it will cost is reserved in full
        await reserve(api.context, call);
        expect(await books()).toEqual({ reserved: 1_000, spent: 0 });
      }
      if (outcome === 'released') await release(api.context, call, 'it says it did nothing');
      else await settle(api.context, call, { cost: 650, externalId: null });
      expect(await books()).toEqual({ reserved: 0, spent: outcome === 'released' ? 0 : 650 });
      expect(await state()).toMatchObject({ decidedBy: null, held: 0 });
      // and again changes nothing
      await settle(api.context, call, { cost: outcome === 'released' ? 0 : 999, externalId: null });
      expect(await books()).toEqual({ reserved: 0, spent: outcome === 'released' ? 0 : 650 });
    }
  },
);

test('a rule that bills counts what is held', async () => {
  await using other = await testApi({ UNKNOWN_CALL_END: 'billed', UNKNOWN_CALL_HOURS: '1' });
  const call = callOf({ budgets: ['b'] });
  await openBudget(other.context.db, 'b', null);
  await reserve(other.context, call);
  await markUnknown(other.context, call, 'no answer', 250);
  await other.context.db.query(sql.unsafe`update provider_calls set ended_at = now() - interval '59 minutes'`);
  expect(await endUnknownCalls(other.context)).toBe(0);
  await other.context.db.query(sql.unsafe`update provider_calls set ended_at = now() - interval '61 minutes'`);
  expect(await endUnknownCalls(other.context)).toBe(1);
  expect(await readBudget(other.context, 'b')).toMatchObject({ reserved: 0, spent: 250 });
});

test('a call that cannot be ended holds up no other', async () => {
  const [bad, good] = [await unknownCall(), await unknownCall()];
  await api.context.db.query(sql.unsafe`
    update provider_calls set ended_at = now() - interval '25 hours' where job in (${bad.call.job}, ${good.call.job})`);
  // as a row that an older release has written, or a human
  await api.context.db.query(sql.unsafe`update provider_calls set held = 9007199254740993 where job = ${bad.call.job}`);
  expect(await endUnknownCalls(api.context)).toBe(1);
  expect(await good.books()).toEqual({ reserved: 0, spent: 0 });
  await api.context.db.query(sql.unsafe`update provider_calls set held = 400 where job = ${bad.call.job}`);
  expect(await endUnknownCalls(api.context)).toBe(1);
});

test('a budget that was forgotten keeps no operator from deciding', async () => {
  const { call, state } = await unknownCall();
  await api.context.db.query(sql.unsafe`delete from budgets where id = ${call.budgets[0] ?? ''}`);
  expect((await decide(call, 'bill', { usd: 0.001 })).status).toBe(200);
  expect(await state()).toMatchObject({ state: 'settled', cost: 1_000 });
});

const month = new Date().toISOString().slice(0, 7);
const step = fc.oneof(
  fc.record({ do: fc.constant('settle' as const), cost: fc.nat(2_000) }),
  fc.record({ do: fc.constant('bill' as const), cost: fc.nat(2_000) }),
  fc.record({ do: fc.constantFrom('release' as const, 'reserve' as const, 'write-off' as const, 'rule' as const) }),
  fc.record({ do: fc.constant('unknown' as const), cost: fc.nat(2_000) }),
);

test('property: whatever comes in whatever order and at once, the books are what the calls add up to', async () => {
  const { context } = api;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { maxLength: 3 }), { maxLength: 6 }), async (rounds) => {
      const call = callOf();
      await reserve(context, call);
      const decider = { by: 'op', why: null };
      const perform = async (one: (typeof rounds)[number][number]) => {
        const cost = 'cost' in one ? one.cost : 0;
        if (one.do === 'settle') return await settle(context, call, { cost, externalId: null });
        if (one.do === 'bill') return await decideCall(context, call, { end: 'billed', cost }, decider);
        if (one.do === 'write-off') return await decideCall(context, call, { end: 'written_off' }, decider);
        if (one.do === 'rule')
          return await decideCall(context, call, { end: 'written_off' }, decider, ({ state }) => state === 'unknown');
        if (one.do === 'unknown') return await markUnknown(context, call, 'who knows', cost);
        return await (one.do === 'release' ? release(context, call, 'no') : reserve(context, call));
      };
      for (const round of rounds) {
        await Promise.all(
          round.map(async (one) =>
            perform(one).catch((error: unknown) => {
              if (!(error instanceof AppError && error.code === 'state_conflict')) throw error;
            }),
          ),
        );
        const [now] = await readCalls(context, call.job);
        const { reserved, spent } = (await readBudget(context, `owner:${call.owner}:${month}`)) ?? {};
        const isHeld = now?.state === 'reserved' || now?.state === 'unknown';
        expect({ reserved, spent }).toEqual({
          reserved: isHeld ? now.held : 0,
          spent: now?.state === 'settled' ? now.cost : 0,
        });
      }
    }),
    { numRuns: 40 },
  );
});
