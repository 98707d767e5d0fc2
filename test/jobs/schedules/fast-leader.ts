import { admitWork } from '#src/access/quota.ts';
import { startSchedules } from '#src/jobs/schedules/start-schedules.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { openContext } from '#src/system/context.ts';
import { fastClock } from './fast-clock.ts';

/** Leads schedules, or stands by, on a clock that goes faster, in a process of its own, to be killed. */
const [began = '', begin = '', speed = ''] = process.argv.slice(2);
const context = await openContext(loadConfig(), 'api');
startSchedules(context, admitWork(context), fastClock(Number(began), Number(begin), Number(speed)));
process.once('disconnect', () => process.exit(0));
process.send?.('ready');
