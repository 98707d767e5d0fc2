import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'slonik';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readCalls } from '#src/governance/budgets/budgets.ts';
import type { CallRow } from '#src/governance/budgets/call-row.ts';
import type { ProviderCallView } from '#src/governance/calls/call-view.ts';
import { endUnknownCalls } from '#src/governance/calls/end-unknown-calls.ts';
import { chunkOf, stalls, streams } from '#test/helpers/vendors/chat-stream.ts';
import { mp4Of } from '#test/helpers/vendors/media.ts';
import { type OpenaiRoute, startOpenaiLike } from '#test/helpers/vendors/openai-like.ts';
import { type ReplicateLike, startReplicateLike } from '#test/helpers/vendors/replicate-like.ts';
import type { VendorServer } from '#test/helpers/vendors/vendor-server.ts';
import { mediaWorld } from '#test/platform/media-world.ts';
import { forgetCircuits } from '#test/providers/forget-circuits.ts';
import { offer, provider } from '#test/providers/offers.ts';
import { catalogueFile } from '#test/studio/catalogue-file.ts';
import { ends, kinds, messages, price } from './call-kinds.ts';

/**
 * Every kind of call with every kind of end: what the books say is what the vendor's own ledger says, or the call is
 * unknown, listed, and holds no less than the ledger has and no more than the quote; and after the rule nothing holds.
 */
let stack: AsyncDisposableStack;
let vendor: VendorServer<OpenaiRoute>;
let films: ReplicateLike;
let world: Awaited<ReturnType<typeof mediaWorld>>;
let operator: Readonly<Record<string, string>>;

const perCall = { price: { perCall: price / 1e6 } };
const perToken = { price: { perMillionInput: 1, perMillionOutput: 2 } };

const offers = (quality: number) => ({
  'text.generate': offer({ model: 'm', quality, ...perToken }),
  'image.generate': offer({ model: 'm', quality, ...perCall }),
  'tts.synthesize': offer({ model: 'm', quality, ...perCall }),
  'audio.transcribe': offer({ model: 'm', quality, ...perCall }),
});
const filming = (quality: number) => ({ 'video.generate': offer({ model: 'maker/film', quality, ...perCall }) });

beforeAll(async () => {
  stack = new AsyncDisposableStack();
  const film = { statuses: ['succeeded'], fileBytes: mp4Of(2), fileType: 'video/mp4' };
  const output = (base: string) => `${base}/files/0.mp4`;
  vendor = stack.use(await startOpenaiLike());
  films = stack.use(await startReplicateLike({ ...film, output }));
  const spare = stack.use(await startOpenaiLike());
  const spareFilms = stack.use(await startReplicateLike({ ...film, output }));
  const at = (id: string, url: string, more: object = {}) => [
    provider({ id, url, style: 'openai-compatible', capabilities: offers(id === 'spare' ? 0.1 : 0.9), ...more }),
  ];
  const filmsAt = (id: string, url: string, more: object = {}) => [
    provider({
      id: `${id}-films`,
      url,
      style: 'replicate-style',
      capabilities: filming(id === 'spare' ? 0.1 : 0.9),
      ...more,
    }),
  ];
  const nobody = await closedPort();
  const impatient = { timeoutSeconds: 1 };
  const providers = [
    ...at('vendor', vendor.url),
    ...filmsAt('vendor', films.url),
    ...at('impatient', vendor.url, impatient),
    ...filmsAt('impatient', films.url, impatient),
    ...at('declared', vendor.url, { unbilledStatuses: [500] }),
    ...filmsAt('declared', films.url, { unbilledStatuses: [500] }),
    ...at('closed', nobody),
    ...filmsAt('closed', nobody),
    // a name that leads inside is not followed
    ...at('nameless', 'https://localhost:1'),
    ...filmsAt('nameless', 'https://localhost:1'),
    ...at('spare', spare.url),
    ...filmsAt('spare', spareFilms.url),
  ];
  const { path } = stack.use(catalogueFile(providers));
  world = stack.use(await mediaWorld({ PROVIDERS_FILE: path }));
  operator = (await world.key({ owner: 'op', operator: true })).headers;
}, 120_000);
beforeEach(async () => await forgetCircuits(world.context));
afterAll(async () => await stack.disposeAsync());

/** An address at which nobody listens. */
async function closedPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

const cases = kinds.flatMap((kind) => ends.map((end) => ({ kind, end, name: `${kind.name}: ${end.name}` })));

/** What the last job that called anybody came to, once all its calls are over. */
async function lastCalls(before: ReadonlySet<string>): Promise<readonly CallRow[]> {
  let job: string | undefined;
  await expect
    .poll(async () => (job = (await jobs()).find((one) => !before.has(one))), { timeout: 20_000 })
    .toBeDefined();
  await expect
    .poll(async () => (await readCalls(world.context, job ?? '')).some(({ state }) => state === 'reserved'), {
      timeout: 20_000,
    })
    .toBe(false);
  return await readCalls(world.context, job ?? '');
}

const jobs = async () =>
  [...(await world.context.db.anyFirst(sql.unsafe`select distinct job from provider_calls`))] as string[];

async function booksAgree(): Promise<void> {
  const rows = await world.context.db.any(sql.unsafe`
    with due as (
      select b as id, sum(case when state in ('reserved', 'unknown') then coalesce(held, quoted) else 0 end)::int8 as reserved,
        coalesce(sum(cost) filter (where state = 'settled'), 0)::int8 as spent
      from provider_calls cross join lateral unnest(budgets) b group by b)
    select id from due join budgets using (id) where due.reserved <> budgets.reserved or due.spent <> budgets.spent`);
  expect(rows).toEqual([]);
}

const listed = async (list: 'unknown' | 'decided' = 'unknown') => {
  const all: ProviderCallView[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const url: string = `/v1/provider-calls?list=${list}&limit=7${cursor ? `&cursor=${cursor}` : ''}`;
    const found: { data: ProviderCallView[]; next_cursor: string | null } = (
      await world.app.inject({ url, headers: operator })
    ).json();
    all.push(...found.data);
    cursor = found.next_cursor;
  }
  return all;
};

test.for(cases)('$name', async ({ kind, end }) => {
  const { suffix = '' } = kind;
  const id = `${end.provider ?? 'vendor'}${suffix}`;
  const turns = end.turn === 'usual' ? [] : [end.turn === 'cut' ? kind.cut : end.turn];
  if (kind.route === null) films.follow({ create: turns });
  else vendor.follow({ [kind.route]: turns });
  const before = new Set(await jobs());
  const routing = { providers: [id], ...(end.ends && { fallback: false }) };
  const isAlone = end.books === 'settled' || end.ends;
  const spare = { providers: [id, `spare${suffix}`], policy: 'quality_first' };
  const answer = await fetch(`${world.url}/api/v2${kind.path}`, {
    method: 'POST',
    headers: { ...world.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ ...kind.body, routing: isAlone ? routing : spare }),
  });
  await answer.arrayBuffer().catch(() => {});
  const calls = await lastCalls(before);
  const call = calls.find((one) => one.provider === id);
  if (!call) throw new Error(`expected a call of ${id}, got ${calls.map((one) => one.provider).join()}`);
  expect(call.state).toBe(end.books);
  const ledger = { nothing: 0, half: kind.billsCut, all: kind.bills }[end.vendor];
  if (call.state === 'settled') expect(call.cost).toBe(ledger);
  if (call.state === 'released') expect({ ledger, held: call.held }).toEqual({ ledger: 0, held: 0 });
  const isListed = (await listed()).some(({ job_id: job, provider: name }) => job === call.job && name === id);
  expect(isListed).toBe(call.state === 'unknown');
  if (call.state === 'unknown') {
    expect(call.held).toBeLessThanOrEqual(call.quoted);
    if (end.turn === 'cut') expect(call.held).toBeGreaterThanOrEqual(ledger);
  }
  // the spare one made it, and is paid
  const other = calls.find((one) => one.provider === `spare${suffix}`);
  const isStreamed = kind.name === 'streamed text' && end.turn === 'cut';
  expect(other?.state).toBe(isAlone || isStreamed ? undefined : 'settled');
  await booksAgree();
});

test('the rule ends every hold, and callers find what was decided', async () => {
  const open = await listed();
  expect(open.length).toBeGreaterThanOrEqual(kinds.length * ends.filter(({ books }) => books === 'unknown').length);
  // not before its time
  expect(await endUnknownCalls(world.context)).toBe(0);
  await world.context.db.query(
    sql.unsafe`update provider_calls set ended_at = ended_at - interval '25 hours' where state = 'unknown'`,
  );
  const ended = await Promise.all([endUnknownCalls(world.context), endUnknownCalls(world.context)]);
  // both may meet the same call; each is ended once
  expect(Math.max(...ended)).toBeGreaterThan(0);
  expect(await listed()).toEqual([]);
  const decided = await listed('decided');
  expect(decided.map(({ job_id: job }) => job).toSorted()).toEqual(open.map(({ job_id: job }) => job).toSorted());
  expect(new Set(decided.map(({ status, decided_by: by }) => `${status} by ${by}`))).toEqual(
    new Set(['written_off by rule']),
  );
  expect(await world.context.db.any(sql.unsafe`select id from budgets where reserved <> 0`)).toEqual([]);
  await booksAgree();
});

test('a text that hangs after its first words holds what was written in that time, and no more', async () => {
  vendor.follow({ chat: [streams([chunkOf({ content: 'A light' })], stalls)] });
  const before = new Set(await jobs());
  const answer = await fetch(`${world.url}/api/v2/chat/completions`, {
    method: 'POST',
    headers: { ...world.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ messages, routing: { providers: ['impatient', 'spare'], policy: 'quality_first' } }),
  });
  expect(answer.status).toBe(200);
  const call = (await lastCalls(before)).find((one) => one.provider === 'impatient');
  expect(call?.state).toBe('unknown');
  // one second, at a thousand tokens
  expect(call?.held).toBeGreaterThan(1_000);
  expect(call?.held).toBeLessThan(call?.quoted ?? 0);
  await booksAgree();
});
