import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { chainInterest } from '#src/analytics/domain/chain/chain-interest.ts';
import { cleanChain } from '#src/analytics/domain/chain/clean-chain.ts';
import { readChain } from '#src/analytics/domain/chain/read-chain.ts';
import { startLiveFeed } from '#src/analytics/feed/live-feed.ts';
import { readMorning } from '#src/analytics/history/flow-store.ts';
import type { Context } from '#src/system/context.ts';
import { market } from '#test/analytics/market.ts';
import { quotesText } from '#test/analytics/quotes-server.ts';
import { testFolder, until } from '#test/helpers/processes.ts';

const outcomes = async ({ db }: Context) =>
  new Map(
    (
      (await db.any(sql.unsafe`select name, outcome from feed_files`)) as readonly { name: string; outcome: string }[]
    ).map(({ name, outcome }) => [name, outcome]),
  );

const rows = ['SPY', 'AAPL'].map((ticker) => `20261119|${ticker}|400|0|1000|Q`).join('\n');

/** Tape of ten trades in contracts of the chain, a quarter of an hour before it. */
function tapeOf(text: string): string {
  const contracts = [...chainInterest(cleanChain(readChain(text, 'SPX'))).keys()].slice(0, 10);
  const lines = contracts.map((contract, i) => `T${i},2026-11-20T20:15:0${i}Z,${contract},10.2,50,10,10.2,`);
  return `id,time,contract,price,size,bid,ask,flags\n${lines.join('\n')}\n`;
}

test('files of the folder are taken once each as they are; tapes give a real chain positions and the dark-pool overlay', async () => {
  using folder = testFolder();
  const write = (name: string, text: string) => {
    mkdirSync(join(folder.path, name, '..'), { recursive: true });
    writeFileSync(join(folder.path, name), text);
  };
  const chain = quotesText('SPX', '2026-11-20 20:30');
  write('trades/SPX-20261120.csv', tapeOf(chain));
  write('prints/SPY-20261120.csv', 'id,time,symbol,price,size,venue\nD1,2026-11-20T15:00:00Z,SPY,685,1200,D\n');
  write(
    'short-volume/CNMSshvol20261119.txt',
    `Date|Symbol|ShortVolume|ShortExemptVolume|TotalVolume|Market\n${rows}\n2\n`,
  );
  write('constituents/SPX.csv', 'symbol,price\nAAPL,270\n');
  write('chains/SPX-2030.json', chain);
  write('chains/readme.txt', 'names no symbol');
  await using api = await market({ FEED: 'files', FEED_FOLDER: folder.path });
  const { context } = api;
  const { headers } = await api.key();
  const read = async (path: string) => (await api.call('GET', path, headers)).body;
  {
    await using _ = startLiveFeed(context);
    await until(async () => (await outcomes(context)).get('SPX-2030.json') === 'taken');
    await until(async () => (await api.call('GET', '/v1/regime/SPX', headers)).status === 200);
    const third = await read('/v1/gex/SPX?generation=3');
    expect(third).toMatchObject({
      generation: 3,
      synthetic: false,
      feed_status: 'ok',
      data: { estimate: { generation: 3 } },
    });
    expect(third.data.estimate.sd).toBeGreaterThan(0);
    const { data } = await read('/v1/darkpool/SPX');
    expect(data).toMatchObject({ dpi: 0.4, dpi_date: '2026-11-19', dix: 0.4, dix_constituents: 1, prints: 1 });
    expect(data.points_per_dollar).toBeGreaterThan(0);
    expect(await readMorning(context, 'SPX')).toMatchObject({ date: '2026-11-20', since: '2026-11-20' });

    // a writer that stopped in the middle of the file: the last good figures stay, and every answer says so
    const next = quotesText('SPX', '2026-11-20 20:40');
    write('chains/SPX-2040.json', next.slice(0, next.length / 2));
    await until(async () => (await outcomes(context)).get('SPX-2040.json') === 'invalid_chain');
    expect(await read('/v1/gex/SPX')).toMatchObject({ as_of: '2026-11-20T20:30:00.000Z', feed_status: 'invalid' });
    write('chains/SPX-2040.json', next);
    await until(async () => (await outcomes(context)).get('SPX-2040.json') === 'taken');
    await until(async () => (await read('/v1/gex/SPX')).as_of === '2026-11-20T20:40:00.000Z');
    expect(await read('/v1/gex/SPX')).toMatchObject({ feed_status: 'ok' });
  }
  // a leader that begins anew takes nothing again: what came last is taken after all it would have taken before
  await using _ = startLiveFeed(context);
  write('chains/SPX-2050.json', quotesText('SPX', '2026-11-20 20:50'));
  await until(async () => (await outcomes(context)).get('SPX-2050.json') === 'taken');
  const jobs = await context.db.anyFirst(
    sql.unsafe`select payload->'file'->>'name' from jobs where queue = 'analytics.take' order by id`,
  );
  expect(jobs).toEqual(['SPX-2030.json', 'SPX-2040.json', 'SPX-2040.json', 'SPX-2050.json']);
});
