import { join } from 'node:path';
import { Command } from 'commander';
import { type Printing, printLine, withJson } from '#src/commands/terminal/print.ts';
import { stopSignal } from '#src/commands/terminal/stop-signal.ts';
import type { Ready } from '#src/system/embedded/ready-file.ts';
import { freshConsole } from './console-build.ts';
import { startSystem } from './system.ts';

const help = `
Starts a private Postgres, Redis, chain and identity provider (unless DATABASE_URL, REDIS_URL, ANCHOR_RPC_URL and
OIDC_ISSUER name others), builds the web console where it is not, migrates,
starts the API and the worker fleets as processes of their own, and shows a synthetic market of each symbol, live. Data, logs, secrets and
ready.json ({url, keys, servers}; it holds secrets) are in PROOFLINE_HOME, one start at a time on each; and jobs.env, with
PROOFLINE_URL and PROOFLINE_KEY for workers and callers of your own (node --env-file).
Where the prover is installed, a development human is enrolled once, and the keys admin and human stand on them.
A process or private server that ends is started again, with growing pauses; one that ends 5 times within two minutes
ends everything. Ctrl-C and SIGTERM stop everything in order; a second Ctrl-C stops at once. To keep it running when the terminal
closes, use nohup or a service manager.

Settings of interest: PROOFLINE_HOME, HOST, PORT, LOG_LEVEL, DATABASE_URL, REDIS_URL, ANCHOR_RPC_URL. All: proofline settings

Examples:
  $ npm start
  $ PORT=0 PROOFLINE_HOME=/tmp/other npm start         a second system beside the first

Exit codes: 0 stopped as asked; 1 something cannot stay up, or did not start; 2 a wrong setting.`;

export function upCommand(): Command {
  return withJson(new Command('up').description('run everything on this machine until Ctrl-C'))
    .addHelpText('after', help)
    .action(up);
}

async function up(options: Printing): Promise<void> {
  const since = performance.now();
  const stop = stopSignal();
  const start = async () => {
    await freshConsole(say, stop);
    return await startSystem(process.env, say, stop);
  };
  const system = await start().catch((error: unknown) => {
    if (!stop.aborted) throw error;
  });
  if (!system) return say('stopped before everything had started');
  await using _ = system;
  const { url, keys, servers } = system.ready;
  const rows: [string, string][] = [
    ['console', url],
    ['api', url],
    ['health', `${url}/v1/health`],
    ['openapi', `${url}/v1/openapi.json`],
    ['metrics', `${servers.api.metrics} (api)  ${servers.worker.metrics} (worker)`],
    ['postgres', servers.postgres.private ? 'private' : 'DATABASE_URL'],
    ['redis', servers.redis.private ? 'private' : 'REDIS_URL'],
    [
      'chain',
      servers.chain
        ? `${servers.chain.id} (${servers.chain.private ? 'private' : 'ANCHOR_RPC_URL'})`
        : 'none: anchors stay pending',
    ],
    ['sign-in', signInRow(url, servers.identity)],
    ['logs', join(system.home, 'log')],
    ['ready file', join(system.home, 'ready.json')],
    ['admin key', keys.admin],
    ['studio key', keys.studio],
    ['analytics key', keys.analytics],
    ['jobs key', keys.jobs],
    ['human key', keys.human ?? 'none'],
  ];
  const table = rows.map(([name, value]) => `  ${name.padEnd(14)}${value}\n`).join('');
  const seconds = ((performance.now() - since) / 1000).toFixed(1);
  printLine(options, system.ready, () => `\n${table}\nready in ${seconds} s; Ctrl-C stops everything`);
  await Promise.race([aborted(stop), system.broken]);
  say('stopping …');
}

function signInRow(url: string, identity: Ready['servers']['identity']): string {
  if (!identity) return 'none: set OIDC_ISSUER';
  const { person } = identity;
  return `${url}/auth/sign-in${person ? ` as ${person.email}, password ${person.password}` : ' (OIDC_ISSUER)'}`;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

async function aborted(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });
}
