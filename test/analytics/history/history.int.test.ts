import { expect, test } from 'vitest';
import { cleanChain } from '#src/analytics/domain/chain/clean-chain.ts';
import { readChain } from '#src/analytics/domain/chain/read-chain.ts';
import { analyzeChain } from '#src/analytics/domain/figures/analyze-chain.ts';
import { snapshotFigures } from '#src/analytics/domain/figures/snapshot-figures.ts';
import { feedPast } from '#src/analytics/feed/feed-past.ts';
import type { Cell } from '#src/analytics/history/csv.ts';
import { forgetHistory, readHistory, storeSnapshot } from '#src/analytics/history/history-store.ts';
import { publishFigures, publishMarket } from '#src/analytics/live/publish-market.ts';
import type { Context } from '#src/system/context.ts';
import { generateChainCsv } from '#test/analytics/generate-chain.ts';
import { withShare } from '#test/analytics/snapshots.ts';
import { testApi } from '#test/http/api.ts';

const begin = Date.parse('2026-01-30T15:00:00Z');
const at = (index: number) => new Date(begin + index * 86_400_000);

/** One snapshot a day, over a change of month. */
async function fill(context: Context, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const csv = generateChainCsv({ symbol: 'SPX', at: at(index).getTime() });
    const analytics = analyzeChain(cleanChain(readChain(csv, 'SPX')), { advUsd: 1e9 });
    const figures = snapshotFigures(analytics, 'test', withShare(index / 100));
    await storeSnapshot(context, {
      symbol: 'SPX',
      asOf: at(index),
      knowledgeTime: at(index),
      spot: analytics.spot,
      figures,
    });
  }
}

const range = 'from=2026-01-01&to=2026-03-01';

test('history is read page by page, oldest first, each row once', async () => {
  await using api = await testApi();
  const { headers } = await api.key({ scopes: [] });
  await fill(api.context, 5);
  const seen: string[] = [];
  for (let cursor = ''; ; ) {
    const url = `/v1/history/regime?symbol=spx&${range}&limit=2${cursor && `&cursor=${cursor}`}`;
    const page = (await api.app.inject({ url, headers })).json();
    expect(page).toMatchObject({ symbol: 'SPX', synthetic: true, status: 'ok' });
    seen.push(...page.data.rows.map((row: { as_of: string }) => row.as_of));
    if (page.data.next_cursor === null) break;
    cursor = page.data.next_cursor;
  }
  expect(seen).toEqual([0, 1, 2, 3, 4].map((index) => at(index).toISOString()));
});

test.each(['regime', 'dsi', 'levels', 'flips'])('the history of %s is the same as JSON and as CSV', async (kind) => {
  await using api = await testApi();
  const { headers } = await api.key();
  await fill(api.context, 3);
  const url = `/v1/history/${kind}?symbol=SPX&${range}`;
  const { rows } = (await api.app.inject({ url, headers })).json().data;
  const typeFor = async (accept: string) =>
    (await api.app.inject({ url, headers: { ...headers, accept } })).headers['content-type'];
  // what a client refuses or wants less is not sent
  for (const accept of ['text/csv;q=0', 'application/json, text/csv;q=0.5', '*/*'])
    expect(await typeFor(accept), accept).toMatch(/^application\/json/);
  expect(await typeFor('text/csv, application/json;q=0.9')).toMatch(/^text\/csv/);
  const csv = await api.app.inject({ url: `${url}&limit=2`, headers: { ...headers, accept: 'text/csv' } });
  expect(csv.headers['content-type']).toMatch(/^text\/csv/);
  expect(csv.headers['x-next-cursor']).toEqual(expect.any(String));
  const [heading = '', ...lines] = csv.body.trimEnd().split('\r\n');
  expect(lines).toHaveLength(2);
  const columns = heading.split(',');
  for (const [index, line] of lines.entries()) {
    const cells = line.split(',');
    for (const [column, name] of columns.entries()) {
      const value: Cell = rows[index][name];
      expect(cells[column]).toBe(value === null ? '' : typeof value === 'object' ? value.join(' ') : String(value));
    }
  }
});

test('while the synthetic market shows a session again, its history ends where it stands, unless an end is named', async () => {
  await using api = await testApi();
  const { headers } = await api.key();
  await fill(api.context, 5);
  const days = async (query: string) => {
    const answer = await api.app.inject({ url: `/v1/history/levels?symbol=SPX&${query}`, headers });
    expect(answer.statusCode).toBe(200);
    return answer.json().data.rows.map((row: { as_of: string }) => row.as_of);
  };
  const all = [0, 1, 2, 3, 4].map((index) => at(index).toISOString());
  expect(await days('from=2026-01-01')).toEqual(all);
  const csv = generateChainCsv({ symbol: 'SPX', at: at(2).getTime() });
  const analytics = analyzeChain(cleanChain(readChain(csv, 'SPX')), { advUsd: 1e9 });
  const tick = { id: 'tick-1', order: 1, analytics };
  await publishMarket(api.context, tick);
  await publishFigures(api.context, { ...tick, answers: new Map(), signals: null });
  // its own snapshot, and nothing of what it has not reached
  expect(await days('from=2026-01-01')).toEqual(all.slice(0, 3));
  expect(await days('')).toEqual(all.slice(0, 3));
  expect(await days('from=2026-02-02')).toEqual([]);
  expect(await days(range)).toEqual(all);
});

test('a snapshot that is known stands; whole months past their retention are forgotten', async () => {
  await using api = await testApi();
  await fill(api.context, 4);
  const query = { symbol: 'SPX', from: at(0), to: at(9), limit: 10 };
  const [first] = await readHistory(api.context, query);
  if (!first) throw new Error('expected a snapshot');
  await storeSnapshot(api.context, { ...first, spot: 1 });
  expect(await readHistory(api.context, query)).toHaveLength(4);
  expect((await readHistory(api.context, query))[0]?.spot).toBe(first.spot);
  const days = Math.ceil((Date.now() - Date.parse('2026-02-15T00:00:00Z')) / 86_400_000);
  expect(await forgetHistory(api.context, days)).toBe(1);
  expect((await readHistory(api.context, query)).map(({ asOf }) => asOf)).toEqual([at(2), at(3)]);
});

test('the shares before an instant are of the days before its own, also when that day is past', async () => {
  await using api = await testApi();
  await fill(api.context, 5);
  for (const offset of [-60_000, 60_000]) {
    const past = await feedPast(api.context, { symbol: 'SPX', at: at(3).getTime() + offset, synthetic: true });
    expect(past.rawShares['1']).toEqual([0, 0.01, 0.02]);
  }
});

test.each(['regime', 'dsi', 'levels', 'flips'])(
  'the history of %s is by generation 1, says so, and is there by no other',
  async (kind) => {
    await using api = await testApi();
    const { headers } = await api.key();
    await fill(api.context, 1);
    const ask = async (generation: string) =>
      await api.app.inject({ url: `/v1/history/${kind}?symbol=SPX&${range}&generation=${generation}`, headers });
    expect((await ask('1')).json()).toMatchObject({ status: 'ok', generation: 1, data: { rows: [{}] } });
    for (const other of ['2', '3', 'ensemble'])
      expect((await ask(other)).json()).toMatchObject({ status: 400, errors: [{ field: 'query.generation' }] });
  },
);

test('a history in which an index was not computed does not say ok; one of other figures of the same instants does', async () => {
  await using api = await testApi();
  const { headers } = await api.key();
  await fill(api.context, 1);
  const analytics = analyzeChain(
    cleanChain(readChain(generateChainCsv({ symbol: 'SPX', at: at(1).getTime() }), 'SPX')),
    {
      advUsd: 1e9,
    },
  );
  const figures = snapshotFigures(analytics, 'test', withShare(null));
  await storeSnapshot(api.context, { symbol: 'SPX', asOf: at(1), knowledgeTime: at(1), spot: analytics.spot, figures });
  const statusOf = async (kind: string) =>
    (await api.app.inject({ url: `/v1/history/${kind}?symbol=SPX&${range}`, headers })).json().status;
  expect([await statusOf('dsi'), await statusOf('flips'), await statusOf('regime')]).toEqual(['no_figure', 'ok', 'ok']);
});

test('error: too little history says so; a wrong range, cursor or symbol is named', async () => {
  await using api = await testApi();
  const { headers } = await api.key();
  const ask = async (query: string) => (await api.app.inject({ url: `/v1/history/flips?${query}`, headers })).json();
  expect(await ask('symbol=SPX')).toMatchObject({
    status: 'insufficient_history',
    as_of: null,
    data: { rows: [], next_cursor: null },
  });
  expect(await ask('symbol=SPX&from=2026-02-02&to=2026-02-01')).toMatchObject({
    status: 400,
    errors: [{ field: 'query.from' }],
  });
  expect(await ask('symbol=SPX&from=yesterday')).toMatchObject({ status: 400, errors: [{ field: 'query.from' }] });
  expect(await ask('symbol=SPX&to=2026-13-45')).toMatchObject({ status: 400, errors: [{ field: 'query.to' }] });
  for (const day of ['2026-02-30', '2026-02-30T10:00:00Z', '0000-01-01'])
    expect(await ask(`symbol=SPX&from=${day}`), day).toMatchObject({ status: 400, errors: [{ field: 'query.from' }] });
  expect(await ask('symbol=SPX&cursor=')).toMatchObject({ status: 400, errors: [{ field: 'query.cursor' }] });
  expect(await ask('symbol=SPX&cursor=abc')).toMatchObject({ status: 400, errors: [{ field: 'query.cursor' }] });
  expect(await ask('symbol=DAX')).toMatchObject({ status: 404, code: 'unknown_symbol' });
  expect(await ask('symbol=SPX&limit=5000')).toMatchObject({ status: 400 });
  expect(await ask('')).toMatchObject({ status: 400 });
});
