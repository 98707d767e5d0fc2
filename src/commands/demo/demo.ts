import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import type { ChainAnalytics } from '#src/analytics/domain/figures/analytics-schema.ts';
import type { PortfolioStressResult } from '#src/analytics/domain/risk/portfolio-stress-schema.ts';
import { type Client, openClient, type StreamedEvent } from '#src/commands/client/api-client.ts';
import { readIdentity } from '#src/commands/client/identity-file.ts';
import { signInAs } from '#src/commands/client/person-client.ts';
import { identityFile } from '#src/commands/start/development-human.ts';
import { startSystem } from '#src/commands/start/system.ts';
import { type Printing, print, withJson } from '#src/commands/terminal/print.ts';
import { stopSignal } from '#src/commands/terminal/stop-signal.ts';
import { AppError } from '#src/lib/errors.ts';
import { localHealth } from '#src/providers/local/local-health.ts';
import { makeTemporaryFolder } from '#src/system/temporary-folders.ts';
import { type StudioShown, showStudio } from './demo-studio.ts';
import { chainSummary, stressTable } from './demo-table.ts';

const help = `
Starts everything in a temporary folder on free ports, sends an option chain and a stress test through the API and its
queue, prints the events as they come and the result as a table; then makes a film from a brief: planned, approved, rendered
by this machine, sealed. Stops everything and removes the folder.

Examples:
  $ npm run demo
  $ npm run demo -- --film harbour.mp4        keeps the film
  $ npm run -s demo -- --json                 what came of it, for programs; what happens goes to stderr

Exit codes: 0 the job succeeded; 1 something failed; 2 a wrong setting.`;

const chainFile = join(import.meta.dirname, '../../analytics/chains/example-chain.csv');

const scenarios = [
  { spot_shock_pct: -5 },
  { spot_shock_pct: -2 },
  { spot_shock_pct: 2 },
  { spot_shock_pct: 5 },
  { vol_shock_pct: 25 },
  { spot_shock_pct: -5, vol_shock_pct: 25 },
];

interface JobAnswer {
  readonly id: string;
  readonly state: string;
  readonly result: PortfolioStressResult | null;
  readonly error: { readonly message: string } | null;
  readonly links: { readonly self: string; readonly events: string };
}

export function demoCommand(): Command {
  return withJson(new Command('demo').description('send one job through everything, print what happens, end'))
    .addHelpText('after', help)
    .option('--film <file>', 'where the film is kept')
    .action(demo);
}

async function demo({ film, ...options }: Printing & { readonly film?: string }): Promise<void> {
  const say = sayer(options);
  const stop = stopSignal();
  const home = makeTemporaryFolder('demo');
  try {
    const env = { ...process.env, PROOFLINE_HOME: home, PORT: '0', METRICS_PORT: '0', PUBLIC_URL: '' };
    await using system = await startSystem(env, say, stop);
    const { url, keys, servers } = system.ready;
    say(`API at ${url}, workers, private Postgres and Redis`);
    const stress = await Promise.race([runJob(openClient(url, keys.analytics, stop), say), system.broken]);
    let studio: StudioShown | null = null;
    const person = servers.identity?.person;
    const missing = Object.values(await localHealth()).filter((reason) => reason !== null);
    if (missing.length > 0) say(`\nno film, since this machine cannot make one: ${[...new Set(missing)].join(' ')}`);
    else if (person) {
      const decider = {
        person: await signInAs(url, person),
        url,
        identity: keys.human === null ? null : readIdentity(identityFile(home)),
      };
      studio = await Promise.race([showStudio(openClient(url, keys.studio, stop), decider, say, film), system.broken]);
    }
    if (options.json) print(options, { stress, studio }, () => '');
    say('stopping …');
  } catch (error) {
    if (!stop.aborted) throw error;
    say('stopped as asked');
    process.exitCode = 1;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function runJob({ call, follow }: Client, say: Say): Promise<JobAnswer> {
  const chain = readFileSync(chainFile, 'utf8');
  say(`\nPOST /v1/snapshot (SPX, generated chain of ${Math.round(chain.length / 1024)} KiB)`);
  const snapshot = await call<{ data: ChainAnalytics }>('POST', '/v1/snapshot', { symbol: 'SPX', chain });
  say(`\n${chainSummary(snapshot.data)}`);

  say(`POST /v1/portfolio/stress (${scenarios.length} scenarios)`);
  const accepted = await call<JobAnswer>(
    'POST',
    '/v1/portfolio/stress',
    { symbols: ['SPX'], scenarios },
    { prefer: 'respond-async' },
  );
  say(`GET ${accepted.links.events}`);
  const since = Date.now();
  for await (const event of follow(accepted.links.events)) say(`  ${eventLine(event, since)}`);

  const job = await call<JobAnswer>('GET', accepted.links.self);
  if (job.state !== 'succeeded' || job.result === null) {
    throw new AppError(
      'unavailable',
      `The job ${job.id} ended as ${job.state}: ${job.error?.message ?? 'it says no more'}`,
    );
  }
  say(`\n${stressTable(job.result)}`);
  return job;
}

/** Time since the request, what happened, and its figures. The result is printed as a table later. */
function eventLine({ type, data }: StreamedEvent, since: number): string {
  const { result: _result, ...rest } = data;
  const whole = (_key: string, value: unknown) => (typeof value === 'number' ? Math.round(value) : value);
  const figures = Object.keys(rest).length > 0 ? JSON.stringify(rest, whole) : '';
  return `${String(Date.now() - since).padStart(5)} ms  ${type.padEnd(10)} ${figures}`.trimEnd();
}

type Say = (line: string) => void;

/** Prints the story to stderr beside JSON for programs, else to stdout. */
function sayer({ json }: Printing): Say {
  return (line) => void (json ? process.stderr : process.stdout).write(`${line}\n`);
}
