import { answerCalls } from '#bench/lib/calls.ts';
import { admitWork } from '#src/access/quota.ts';
import { startSchedules } from '#src/jobs/schedules/start-schedules.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { openContext } from '#src/system/context.ts';

/**
 * Leads schedules, or stands by, on a clock that goes faster: `schedule-leader.ts <began> <begin> <speed>` shows `begin`
 * when the machine shows `began`, both in ms since 1970.
 */
const [began, begin, speed] = process.argv.slice(2).map(Number) as [number, number, number];
const context = await openContext(loadConfig(), 'api');
startSchedules(context, admitWork(context), () => new Date(begin + (Date.now() - began) * speed));
answerCalls({});
