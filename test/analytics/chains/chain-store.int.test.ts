import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { fit, stress } from '#queues/analytics.ts';
import { readStoredChain as readStored, storeChain } from '#src/analytics/chains/chain-store.ts';
import { cleanChain } from '#src/analytics/domain/chain/clean-chain.ts';
import { readCboeJson } from '#src/analytics/domain/chain/read-cboe-json.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import type { Context } from '#src/system/context.ts';
import { quotesDocument } from '#test/analytics/chain-text.ts';
import { until } from '#test/helpers/processes.ts';
import { quietSystem } from '#test/helpers/quiet.ts';

/** A small chain that is another one for each number. */
function chainOf(n: number) {
  const document = quotesDocument();
  document.data.current_price += n / 1_000;
  return cleanChain(readCboeJson(document, 'SPX'));
}

/** Stores `count` chains, from the number `from` on, and gives their ids, oldest first. */
async function store(context: Context, owner: string | null, from: number, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = from; n < from + count; n++) ids.push((await storeChain(context, owner, chainOf(n))).id);
  return ids;
}

/** Makes every chain so much older. */
const age = async ({ db }: Context, interval: string) =>
  await db.query(sql.unsafe`update chains set given_at = given_at - ${interval}::interval`);

const kept = async ({ db }: Context, owner: string): Promise<unknown> =>
  await db.oneFirst(sql.unsafe`select count(*) from chains where owner = ${owner}`);

test('an upload leaves the newest twenty of its owner and symbol, and what an unfinished job still needs', async () => {
  await using system = await quietSystem();
  const { context } = system;
  await store(context, 'bob', 0, 1);
  const ids = await store(context, 'alice', 0, 22);
  await age(context, '1 minute');
  const principal = { owner: 'alice' };
  await submit(context, fit, { principal, payload: { chainId: ids[0]! } });
  const books = [{ chainId: ids[1]!, weight: 1 }];
  await submit(context, stress, { principal, payload: { books, scenarios: [{ spot_shock_pct: 1 }] } });
  const [newest] = await store(context, 'alice', 22, 1);
  const found = await Promise.all([...ids.slice(0, 4), newest!].map((id) => readStored(context, id)));
  expect(found.map((chain) => chain !== null)).toEqual([true, true, false, true, true]);
  await context.db.query(sql.unsafe`update jobs set state = 'failed', finished_at = now()`);
  await store(context, 'alice', 23, 1);
  expect([await kept(context, 'alice'), await kept(context, 'bob')]).toEqual([20, 1]);
});

test('an upload is refused while a hundred chains of its owner wait; the feed is not bounded so', async () => {
  await using system = await quietSystem();
  const { context } = system;
  const ids = await store(context, 'alice', 0, 100);
  await age(context, '1 minute');
  for (const chainId of ids.slice(0, 81)) {
    await submit(context, fit, { principal: { owner: 'alice' }, payload: { chainId } });
  }
  await expect(storeChain(context, 'alice', chainOf(100))).rejects.toMatchObject({
    code: 'quota_exceeded',
    message: expect.stringContaining('at most 100 chains of SPX of yours'),
  });
  expect(await kept(context, 'alice')).toBe(100);
  await context.db.query(sql.unsafe`update chains set owner = null`);
  await expect(storeChain(context, null, chainOf(100))).resolves.toMatchObject({ owner: null });
});

test('uploads of one owner and symbol come one after another, so that each counts the one before', async () => {
  await using system = await quietSystem();
  const { context } = system;
  await store(context, 'alice', 0, 20);
  await age(context, '1 minute');
  const client = await system.connect();
  await client.query("begin; select pg_advisory_xact_lock(hashtextextended('chains SPX alice', 0))");
  const uploads = Promise.all([20, 21].map((n) => storeChain(context, 'alice', chainOf(n))));
  await until(async () => {
    const waiting = await client.query("select from pg_locks where locktype = 'advisory' and not granted");
    return waiting.rowCount === 2;
  });
  await client.query('commit');
  await uploads;
  expect(await kept(context, 'alice')).toBe(20);
});
