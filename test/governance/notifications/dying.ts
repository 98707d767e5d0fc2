import pg from 'pg';
import { deliver } from '#queues/platform.ts';
import { alertSource } from '#src/analytics/live/alert-source.ts';
import { startNotifications } from '#src/governance/notifications/start-notifications.ts';
import { startSweep } from '#src/jobs/sweep/sweep.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { openContext } from '#src/system/context.ts';
import { deliverProcessor } from '#workers/platform/deliver.ts';
import { startFleet } from '#workers/run/fleet.ts';
import { handler } from '#workers/run/processor.ts';

/**
 * Leads notifications and sends them, and dies at a statement: `dying.ts <pattern> before|after`. Dying is SIGKILL, so
 * that nothing is put in order.
 */
const [pattern = '', when] = process.argv.slice(2);
const isPoint = new RegExp(pattern);
const send = Reflect.get(pg.Client.prototype, 'query') as (this: pg.Client, ...args: unknown[]) => unknown;
const die = () => process.kill(process.pid, 'SIGKILL');
pg.Client.prototype.query = function query(this: pg.Client, ...args: unknown[]): unknown {
  const [first] = args;
  const text = typeof first === 'string' ? first : ((first as { readonly text?: string } | undefined)?.text ?? '');
  if (!isPoint.test(text)) return send.apply(this, args);
  if (when === 'before') die();
  const answer = send.apply(this, args);
  if (answer instanceof Promise) void answer.then(die);
  else (answer as pg.Query & NodeJS.EventEmitter).on('end', die);
  return answer;
} as typeof pg.Client.prototype.query;

const context = await openContext(loadConfig(), 'api');
startSweep(context);
startNotifications(context, [alertSource]);
const module = new URL(import.meta.resolve('#workers/handlers.ts'));
await startFleet(context, { name: 'dying', handlers: [handler(deliver, deliverProcessor)], module });
