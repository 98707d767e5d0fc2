import type { Page } from 'playwright-core';
import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAlerts, signal } from '#test/analytics/alert-fixture.ts';
import { until } from '#test/helpers/processes.ts';
import { openScene, options, patience, type Scene, where } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  if (options.skip) return;
  scene = await openScene({ FEED: 'synthetic', FEED_TICK_MS: '3000', FEED_FIGURES_MS: '6000' });
  await until(async () => (await ask('/v1/levels/SPX')).status === 'ok');
}, patience);
afterAll(() => scene?.[Symbol.asyncDispose]());

/** What a program is told, of the same system; as far as the tests look at it. */
interface Told {
  readonly status: string;
  readonly data: {
    readonly flips: { readonly flips: readonly object[] };
    readonly expiries: readonly { readonly label: string; readonly quotes: number }[];
    readonly rows: readonly object[];
  };
  readonly payload: { readonly books: readonly { readonly weight: number }[] };
}

async function ask(path: string): Promise<Told> {
  const answer = await fetch(`${scene.url}${path}`, { headers: { 'x-api-key': scene.keys.admin } });
  return (await answer.json()) as Told;
}

const chart = (page: Page, label: string | RegExp) => page.getByRole('img', { name: label }).locator('canvas');

test(
  `a symbol is chosen, its flips and walls are shown with their units and age, and spot moves${where}`,
  options,
  async () => {
    await using visit = await scene.visit('/market');
    const { page } = visit;
    await page.getByRole('link', { name: /S&P 500 Index.*Gamma flip/ }).click();
    await page.getByRole('heading', { name: 'SPX', level: 1 }).waitFor();
    await chart(page, /^Net gamma of SPX dealers over spot: .* per \+1 % now.*Call wall/).waitFor();
    const ladder = page.getByRole('list', { name: 'Levels, highest first' });
    const { data } = await ask('/v1/levels/SPX');
    expect(await ladder.getByText(/^(Gamma|Further) flip$/).count()).toBe(data.flips.flips.length);
    for (const name of ['Call wall', 'Put wall'])
      expect(await ladder.getByRole('listitem').filter({ hasText: name }).count(), name).toBe(1);
    await page
      .getByText(/^as of .* New York$/)
      .first()
      .waitFor();
    const ticks = async () => Number(await page.locator('[data-ticks]').getAttribute('data-ticks'));
    const before = await ticks();
    await expect.poll(ticks, { timeout: 30_000 }).toBeGreaterThan(before + 1);
    await page.getByRole('button', { name: 'Upload a chain of SPX' }).waitFor();
    await page.getByText('±3 %').click();
    await page.getByText('Figures as a table').first().click();
    await page.getByRole('table', { name: 'Gamma of SPX by strike' }).waitFor();
    await page.getByText('Figures as a table').first().click();
    await visit.isSound('market-levels');
  },
);

test(`by keyboard from view to view: exposures, and hedging, on a small dark screen${where}`, options, async () => {
  await using visit = await scene.visit('/market/spx', { width: 390, scheme: 'dark' });
  const { page } = visit;
  await page.getByRole('tab', { name: 'Levels' }).press('ArrowRight');
  await chart(page, /^Gamma exposure of SPX by strike/).waitFor();
  await page.getByText('Charm', { exact: true }).click();
  await chart(page, /^Charm exposure of SPX by expiry, \$ delta per calendar day/).waitFor();
  await visit.isSound('market-exposure');
  await page.getByRole('tab', { name: 'Exposure' }).press('ArrowRight');
  await page.getByRole('tab', { name: 'Volatility' }).press('ArrowRight');
  await page.getByRole('heading', { name: 'Charm schedule of SPX' }).waitFor();
  await chart(page, /^SPX dealers (rest|have no band)/).waitFor();
  expect(new URL(page.url()).search).toBe('?view=hedging');
  await visit.isSound('market-hedging');
});

test(
  `the surface is drawn and turns by keys; a smile shows the quotes that it was fitted to${where}`,
  options,
  async () => {
    await using visit = await scene.visit('/market/SPX?view=volatility', { scheme: 'dark' });
    const { page } = visit;
    const surface = page.getByRole('application', { name: /^Volatility surface of SPX: \d+ % to \d+ % a year/ });
    await surface.and(page.locator('[data-drawn="true"]')).waitFor();
    const corner = surface.getByText('365 d');
    const seen = await corner.getAttribute('style');
    await surface.press('ArrowLeft');
    expect(await corner.getAttribute('style')).not.toBe(seen);
    await surface.press('0');
    expect(await corner.getAttribute('style')).toBe(seen);
    // not one colour: something is drawn
    const shades = await surface.locator('canvas').screenshot();
    expect(shades.length).toBeGreaterThan(8_000);
    const { data } = await ask('/v1/surface/SPX?quotes=true');
    const label = data.expiries.findLast(({ quotes }) => quotes >= 10)?.label;
    await page.getByRole('combobox', { name: 'Expiry' }).click();
    await page.getByRole('option', { name: new RegExp(`^${label} `) }).click();
    await chart(page, new RegExp(`^SPX, ${label}, .* at the money; \\d+ quotes, the surface lies inside`)).waitFor();
    await page.getByText('Figures as a table').nth(1).click();
    const quotes = page.getByRole('table', { name: `Quotes of ${label}` });
    expect(await quotes.getByRole('row').count()).toBeGreaterThan(10);
    await visit.isSound('market-volatility');
  },
);

test(
  `a browser without WebGL is told so, sees the surface from above, and still has the smiles${where}`,
  options,
  async () => {
    await using visit = await scene.visit('/market/SPX', { scheme: 'dark' });
    const { page } = visit;
    await page.addInitScript(
      'const get = HTMLCanvasElement.prototype.getContext; HTMLCanvasElement.prototype.getContext = function (kind, ...more) { return kind.startsWith("webgl") ? null : get.call(this, kind, ...more); };',
    );
    await page.goto(`${scene.url}/market/SPX?view=volatility`);
    await page.getByText('This browser draws nothing in three dimensions').waitFor();
    // cells have a canvas of their own, above that of the axes
    await chart(page, /^Volatility surface of SPX: \d+ % to \d+ % a year/)
      .first()
      .waitFor();
    await chart(page, /at the money; \d+ quotes/).waitFor();
    expect(visit.troubles).toEqual([]);
    await visit.isSound('market-surface-from-above');
  },
);

test(`twenty thousand instants of history are read page by page and drawn in one chart${where}`, options, async () => {
  const rows = async (): Promise<readonly any[]> => (await ask('/v1/history/levels?symbol=RUT')).data.rows;
  await expect.poll(async () => (await rows()).length).toBeGreaterThan(0);
  // a market that shows its last session again has no history after that
  const end = Date.parse((await rows()).at(-1).as_of) - 60_000;
  const month = new Date(end - 14 * 86_400_000).toISOString();
  const { db } = scene.context;
  for (const instant of [month, new Date(end).toISOString()])
    await db.query(sql.unsafe`select make_snapshot_partition(${instant}::timestamptz)`);
  // of one that the market left, moved through time
  await db.query(sql.unsafe`
    insert into snapshots (symbol, as_of, knowledge_time, spot, figures)
    select 'RUT', at, at, one.spot * (1 + 0.02 * sin(n / 700.0) + 0.002 * sin(n / 3.0)), one.figures
    from (select spot, figures from snapshots where symbol = 'RUT' order by as_of limit 1) as one,
      generate_series(0, 19999) as n,
      lateral (select ${new Date(end).toISOString()}::timestamptz - n * interval '1 minute' as at) as instant
    on conflict do nothing`);
  await using visit = await scene.visit('/market/RUT?view=history');
  const { page } = visit;
  await page.getByText(/^2\d,\d{3} points$/).waitFor({ timeout: 60_000 });
  await chart(page, /^Spot, flip and walls of RUT, points: 2\d{4} points from/).waitFor();
  await visit.isSound('market-history');
});

test(`an alert is seen the moment it is made, and only those of the symbol${where}`, options, async () => {
  await using visit = await scene.visit('/market/SPX?view=alerts', { width: 390 });
  const { page } = visit;
  await page.getByRole('heading', { name: 'Alerts of SPX' }).waitFor();
  await page.getByRole('region', { name: 'Alerts of SPX' }).getByText('Live', { exact: true }).waitFor();
  const at = Date.now();
  const make = async (symbol: string, level: number) => {
    const signals = [{ ...signal(symbol, 'wall_break', at), level }];
    await makeAlerts(scene.context, symbol, { id: `${symbol} ${at}`, order: at, signals });
  };
  await make('QQQ', 54_321);
  await make('SPX', 12_345);
  const fresh = page.getByRole('row').filter({ hasText: 'new' }).filter({ hasText: 'Wall crossed' });
  await fresh.filter({ hasText: '12,345' }).waitFor();
  expect(await page.getByText('54,321').count()).toBe(0);
  await visit.isSound('market-alerts');
});

test(
  `a stress test of two symbols runs as a job, and its outcome is a chart and a table${where}`,
  options,
  async () => {
    await using visit = await scene.visit('/market/SPX?view=stress');
    const { page } = visit;
    await page.getByLabel('QQQ', { exact: true }).fill('-0.4');
    await page.getByLabel('Spot, %, shock 1').fill('');
    await page.getByText('Each scenario needs a change of spot or volatility, or days.').waitFor();
    expect(await page.getByRole('button', { name: 'Run 4 shocks' }).isDisabled()).toBe(true);
    await page.getByLabel('Volatility, % of itself, shock 1').fill('30');
    await page.getByRole('button', { name: 'Remove shock 4' }).click();
    await page.getByRole('button', { name: 'Run 3 shocks' }).press('Enter');
    await chart(page, /^Stress test\. Least for hedged dealers: /).waitFor({ timeout: 60_000 });
    const rows = page.getByRole('table', { name: 'Outcome of each shock' }).getByRole('row');
    expect(await rows.count()).toBe(4);
    expect(await rows.nth(1).textContent()).toContain('vol +30 %');
    const id = (await page.getByRole('link', { name: 'Job', exact: true }).getAttribute('href'))?.split('/').at(-1);
    const job = await ask(`/v1/jobs/${id}`);
    expect(job).toMatchObject({ queue: 'analytics.stress', state: 'succeeded' });
    expect(job.payload.books.map(({ weight }) => weight)).toEqual([
      expect.closeTo(1 / 0.6, 6),
      expect.closeTo(-0.4 / 0.6, 6),
    ]);
    await visit.isSound('market-stress');
  },
);

test(
  `the oracle answers with a source for each number, and a follow-up goes on from there${where}`,
  options,
  async () => {
    await using visit = await scene.visit('/market/SPX?view=oracle', { width: 390, scheme: 'dark' });
    const { page } = visit;
    await page.getByLabel('Question').fill('Where is the gamma flip of SPX?');
    await page.getByLabel('Question').press('Enter');
    const sources = page.getByRole('list', { name: 'Sources' });
    await sources.first().waitFor();
    expect(await sources.first().textContent()).toContain('levels of SPX: flip');
    await page.getByRole('button', { name: 'And if it drops 3%?' }).click();
    await sources.nth(1).waitFor();
    expect(await sources.nth(1).textContent()).toMatch(/stress.*SPX/);
    await visit.isSound('market-oracle');
  },
);

test(`another symbol than there are says which there are${where}`, options, async () => {
  await using visit = await scene.visit('/market/TSLA');
  await visit.page.getByText('There is no symbol TSLA').waitFor();
  await visit.page.getByRole('link', { name: 'IWM' }).click();
  await visit.page.getByRole('heading', { name: 'IWM', level: 1 }).waitFor();
  expect(visit.troubles).toEqual([]);
});
