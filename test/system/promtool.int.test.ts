import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { market } from '#test/analytics/market.ts';
import { promtool } from '#test/helpers/promtool.ts';

const checker = promtool();

test.skipIf(checker === undefined)(
  'promtool finds no fault in what a busy process exposes (needs promtool)',
  async () => {
    await using api = await market();
    await api.feed('SPX');
    const { headers } = await api.key();
    await api.call('POST', '/v1/portfolio/stress', headers, { symbols: ['SPX'] });
    const input = await api.context.metrics.registry.metrics();
    const { status, stdout, stderr } = spawnSync(checker ?? '', ['check', 'metrics'], { input, encoding: 'utf8' });
    expect({ status, says: `${stdout}${stderr}` }).toEqual({ status: 0, says: '' });
    expect(input).toMatch(/proofline_jobs_finished_total\{queue="analytics.stress",outcome="succeeded"\} 1/);
  },
);
