import { Command } from 'commander';
import { type AccessOptions, jobAccessHelp, openApi, withAccess } from '#src/commands/client/api-access.ts';
import type { Client } from '#src/commands/client/api-client.ts';
import { followLive } from '#src/commands/client/follow-live.ts';
import { lastHourLine, type Past } from '#src/commands/history/past-text.ts';
import { type Printing, printLine, withJson } from '#src/commands/terminal/print.ts';
import { stopSignal } from '#src/commands/terminal/stop-signal.ts';
import { shownTime } from '#src/commands/terminal/text-table.ts';
import { AppError } from '#src/lib/errors.ts';
import { openScreen } from './screen.ts';
import { cut, type Figures, type Frame, shortTime, topLines } from './top-text.ts';

const help = `${jobAccessHelp}
It counts jobs that are queued for a worker or for their time (delayed), that run, that are suspended until a time, a signal
or the end of a child (waiting), or that wait for a release (held) or an approval. Oldest is the age of the longest queued
one; drain is how long the queued jobs take at this rate. A line of bars has the jobs that ended in each minute of the last
hour; a blank is a minute of which nothing is known. q and Ctrl-C quit. A lost connection is reported, and tried again.

Examples:
  $ npm run -s proofline -- top
  $ npm run -s proofline -- top --once
  $ npm run -s proofline -- top --json | jq '.queues[] | select(.depth.queued > 100) | .name'

Exit codes: 0 stopped as asked, or printed; 1 refused or failed; 2 wrong use.`;

interface Options extends AccessOptions, Printing {
  readonly once?: boolean;
}

const path = '/v1/operations/events';
/** Milliseconds between two reads of the last hour. */
const PAST_MS = 30_000;

export function topCommand(): Command {
  return withJson(withAccess(new Command('top').description('watch queues, fleets and workers live')))
    .option('--once', 'print the figures once, and end')
    .addHelpText('after', help)
    .action(top);
}

async function top(options: Options): Promise<void> {
  const stop = stopSignal();
  const client = await openApi(options, stop);
  if (options.once) {
    const [figures, past] = await Promise.all([firstFigures(client), readLastHour(client)]);
    return show(options, client, figures, past);
  }
  if (options.json || !process.stdout.isTTY) return await printFigures(client, options, stop);
  await drawFigures(client, stop);
}

async function firstFigures(client: Client): Promise<Figures> {
  for await (const { type, data } of client.follow(path, { quietMs: 60_000 }))
    if (type === 'operations') return asFigures(data);
  throw new AppError('unavailable', `expected figures from ${client.url}, got the end of the stream; ask again.`);
}

/** Prints the figures whenever they change: for programs, and where there is no terminal to draw on. */
async function printFigures(client: Client, options: Printing, signal: AbortSignal): Promise<void> {
  if (!options.json)
    process.stderr.write('this is no terminal: figures are printed whenever they change (--once prints them once)\n');
  const onLost = (why: string) => void process.stderr.write(`lost the stream (${why}); trying again\n`);
  for await (const { type, data } of followLive(client, path, { signal, onLost }))
    if (type === 'operations') show(options, client, asFigures(data));
}

/** The last hour of all queues; null where it cannot be had now: what is live is shown anyway. */
async function readLastHour(client: Client): Promise<Past | null> {
  return await client.call<Past>('GET', '/v1/operations/history').catch(() => null);
}

function show(options: Printing, client: Client, figures: Figures, past: Past | null = null): void {
  const frame = {
    columns: process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY,
    rows: Number.POSITIVE_INFINITY,
  };
  printLine(
    options,
    figures,
    () => `${headLines(client.url, figures, frame, past).join('\n')}\n${topLines(figures, frame, 0).join('\n')}\n`,
  );
}

/** Draws the figures until the operator quits: with each event, and each second for what ages and for another size. */
async function drawFigures(client: Client, stop: AbortSignal): Promise<void> {
  const quit = new AbortController();
  const signal = AbortSignal.any([stop, quit.signal]);
  let figures: Figures | undefined;
  let past: Past | null = null;
  let lost: { readonly why: string; readonly since: number } | undefined;
  using screen = openScreen(() => quit.abort());
  const draw = () => {
    const frame = screen.size();
    const head = figures
      ? headLines(client.url, figures, frame, past)
      : [cut(`Proofline at ${client.url}: connecting …`, frame.columns)];
    const trouble = lost
      ? [cut(`lost ${shortTime((Date.now() - lost.since) / 1_000)} ago, trying again: ${lost.why}`, frame.columns)]
      : [];
    const taken = head.length + trouble.length;
    screen.draw([...head, ...trouble, ...(figures ? topLines(figures, frame, taken) : [])].slice(0, frame.rows));
  };
  const onLost = (why: string) => {
    lost ??= { why, since: Date.now() };
    draw();
  };
  const lookBack = async () => {
    past = (await readLastHour(client)) ?? past;
  };
  const clock = setInterval(draw, 1_000);
  const calendar = setInterval(() => void lookBack(), PAST_MS);
  try {
    draw();
    void lookBack();
    for await (const { type, data } of followLive(client, path, { signal, onLost })) {
      lost = undefined;
      if (type === 'operations') figures = asFigures(data);
      draw();
    }
  } finally {
    clearInterval(clock);
    clearInterval(calendar);
  }
}

function headLines(url: string, { at, whose, queues }: Figures, { columns, rows }: Frame, past: Past | null): string[] {
  const sum = (of: (queue: Figures['queues'][number]) => number) =>
    queues.reduce((total, queue) => total + of(queue), 0);
  const parts = [
    `${sum(({ depth }) => depth.queued)} queued`,
    `${sum(({ depth }) => depth.running)} running`,
    `${sum(({ per_minute: rate }) => rate)} a minute`,
    `${sum(({ finished }) => finished.failed)} failed in 5 min`,
    `${queues.filter(({ paused }) => paused).length} paused`,
  ];
  return [
    cut(`Proofline at ${url}, ${whose === 'all' ? 'everybody’s jobs' : 'your own jobs'}, ${shownTime(at)}`, columns),
    cut(parts.join(', '), columns),
    // the figures of now come first where lines are few
    ...(past && rows > 15 ? [cut(lastHourLine(past), columns)] : []),
    '',
  ];
}

function asFigures(data: unknown): Figures {
  return data as Figures;
}
