import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillHistory } from '#src/jobs/history/fill-history.ts';
import { openScene, options, patience, type Scene, where } from './scene.ts';

const queue = 'analytics.fit';

let scene: Scene;
beforeAll(async () => {
  scene = await openScene({ GRAFANA_URL: 'https://grafana.example.com' });
  const { context } = scene;
  const client = new pg.Client({ connectionString: context.config.DATABASE_URL });
  await client.connect();
  await fillHistory(context, client);
  await client.query(`update queue_history_spans set since = now() - interval '20 days'`);
  // what the first ten days had was lost
  await client.query(`insert into queue_history_spans values (now() - interval '90 days', now() - interval '40 days')`);
  await client.query(`
    insert into queue_history
    select of_queue, group_name, 3600, date_bin('1 hour', now() - n * interval '3 hours', '2000-01-01'), 30, 30, 20 + n % 7, n % 5, 1, 0, 2,
      jsonb_build_object(80 + n % 9, 20, 110 + n % 9, 3), jsonb_build_object(95 + n % 5, 20, 120 + n % 11, 4)
    from generate_series(1, 700) n,
      (values ('analytics.fit', 'acme'), ('analytics.fit', ''), ('', '')) as of_this (of_queue, group_name)
    where date_bin('1 hour', now() - n * interval '3 hours', '2000-01-01') not between now() - interval '40 days' and now() - interval '20 days'
    on conflict do nothing`);
  await client.end();
}, patience);
afterAll(async () => await scene?.[Symbol.asyncDispose]());

for (const { width, scheme } of [
  { width: 1280, scheme: 'light' },
  { width: 390, scheme: 'dark' },
] as const)
  test(
    `the past of a queue is drawn, told as a table, and shown of other times; ${width} wide, ${scheme}${where}`,
    options,
    async () => {
      await using visit = await scene.visit(`/queues/${queue}`, { width, scheme });
      const { page } = visit;
      const past = page.getByRole('region', { name: 'Past' });
      await past.getByText('30 d', { exact: true }).click();
      await past.getByRole('img', { name: /^In the last 30 days [\d,]+ jobs succeeded, [\d,]+ failed/ }).waitFor();
      await past
        .getByRole('img', { name: /^In the last 30 days half of the attempts waited for at most .* 99 of 100 for/ })
        .waitFor();
      await past.getByRole('img', { name: /^In the last 30 days half of the attempts ran for/ }).waitFor();
      await past.getByText(/^Figures as a table/).click();
      const steps = past.getByRole('table', { name: 'Steps of the last 30 days' });
      await steps.getByText('(in part)').first().waitFor();
      expect(await past.getByRole('table', { name: 'Groups in the last 30 days' }).getByText('acme').count()).toBe(1);
      expect(await past.getByRole('link', { name: 'The same time in Grafana' }).getAttribute('href')).toMatch(
        /^https:\/\/grafana\.example\.com\/d\/proofline-fleet\?var-queue=analytics\.fit&from=\d+&to=\d+$/,
      );
      await visit.isSound('queue-past');
      await past.getByText('12 mo', { exact: true }).click();
      await past.getByText(/^1\d steps of 7 days/).waitFor();
      await visit.settled();
      expect(visit.troubles).toEqual([]);
    },
  );

test(`the overview has the past of all queues, and a member that of their own alone${where}`, options, async () => {
  await using visit = await scene.visit('/');
  const past = visit.page.getByRole('region', { name: 'Past' });
  await past.getByText('7 d', { exact: true }).click();
  const queues = past.getByRole('table', { name: 'Queues in the last 7 days' });
  await queues.getByRole('link', { name: queue }).click();
  await visit.page.getByRole('heading', { name: queue, level: 1 }).waitFor();
  expect(visit.troubles).toEqual([]);

  await using other = await scene.visit('/', { as: 'member' });
  const theirs = other.page.getByRole('region', { name: 'Past' });
  await theirs.getByText('7 d', { exact: true }).click();
  await theirs.getByRole('img', { name: /^In the last 7 days 0 jobs succeeded, 0 failed/ }).waitFor();
  expect(await theirs.getByText(queue).count()).toBe(0);
  expect(await theirs.getByText('Grafana').count()).toBe(0);
  expect(other.troubles).toEqual([]);
});
