import { submitMany } from '#src/jobs/submit/submit.ts';
import { startSweep } from '#src/jobs/sweep/sweep.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { openContext } from '#src/system/context.ts';
import { cannotStart } from '#test/helpers/servers/cannot-start.ts';
import { dieAt } from './die-at.ts';
import { standing } from './queue.ts';

/**
 * A process that feeds, sweeps and audits once it leads, and then ends at a point: `leader.ts <point> <hours>`, where its
 * clock shows so many hours more. With `submits` as the third it submits instead, and ends at that point.
 */
const [point = '', hours = '0', does = 'leads'] = process.argv.slice(2);
const real = Date.now;
Date.now = () => real() + Number(hours) * 3_600_000;
dieAt(point, does === 'leads');
const context = await openContext(loadConfig(), 'api').catch(cannotStart('a leader'));
process.once('disconnect', () => process.exit(0));
process.send?.('ready');
if (does === 'leads') startSweep(context, [standing.name]);
else {
  await new Promise<void>((resolve) => context.redis.once('ready', resolve));
  await submitMany(
    context,
    Array.from({ length: 20 }, () => ({
      queue: standing,
      submission: { principal: { owner: 'dying' }, payload: { ms: 1 }, priority: 0 },
    })),
  );
}
