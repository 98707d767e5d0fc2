import { Redis } from 'ioredis';
import pg from 'pg';

/** What a feeder does in one pass and beside it: statements by their names, scripts of the broker by theirs. */
export const steps = [
  'become-due',
  'lines-now',
  'still-waiting',
  'groups-in-line',
  'running-by-rules',
  'spent-by-rules',
  'first-past-barred',
  'readCarriers',
  'addStandardCarriers',
  'addPrioritizedCarriers',
  'addDelayedCarriers',
  'setWindow',
  'audit-fed',
];

type Ask = (this: unknown, ...args: unknown[]) => unknown;

/**
 * Ends this process, as kill -9 does, at a point that it comes to; counted from when it first feeds where `leads`, so that
 * it leads then.
 */
export function dieAt(point: string, leads: boolean): void {
  let armed = !leads;
  const end = (reached: string) => {
    if (armed && reached === point) process.kill(process.pid, 'SIGKILL');
  };
  const watch = (name: string, call: () => unknown): unknown => {
    if (name === 'groups-in-line') armed = true;
    end(`before ${name}`);
    const answer = call();
    if (answer instanceof Promise) void answer.then(() => end(`after ${name}`)).catch(() => {});
    return answer;
  };
  // oxlint-disable-next-line typescript/unbound-method -- called with the client that it is called on
  const query = pg.Client.prototype.query as Ask;
  pg.Client.prototype.query = function (this: unknown, ...args: unknown[]) {
    const name = (args[0] as { name?: string } | undefined)?.name ?? '';
    return watch(name, () => query.apply(this, args));
  } as typeof pg.Client.prototype.query;
  // oxlint-disable-next-line typescript/unbound-method -- called with the connection that it is called on
  const define = Redis.prototype.defineCommand;
  Redis.prototype.defineCommand = function (this: Redis, ...args: Parameters<typeof define>) {
    define.apply(this, args);
    const commands = this as unknown as Record<string, Ask>;
    const [name] = args;
    const command = commands[name]!;
    commands[name] = (...own) => watch(name, () => command.apply(this, own));
  };
}
