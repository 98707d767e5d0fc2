import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Claim } from '#bench/lib/claim.ts';
import { figure, table } from '#bench/lib/markdown.ts';
import type { Servers } from '#bench/lib/servers.ts';
import { startOpenApi } from './open-api.ts';

const systems = ['proofline', 'bullmq', 'pg-boss', 'graphile-worker'] as const;
type System = (typeof systems)[number];

/** Parts of the job that a program leaves out, since its system has nothing for them. */
const missing: Readonly<Record<System, string>> = {
  proofline: 'nothing',
  bullmq: 'steps on disk before the job goes on; a late run is told to stop',
  'pg-boss': 'progress; a pause below a second before the next attempt; a key that holds after the end',
  'graphile-worker':
    'progress; a pause that its caller sets; a late run is told to stop; a key that holds after the end',
};

const RESULT = JSON.stringify({ charge: 'charge of order 1' });

/** Lines of a whole program for one and the same job; each is run, and must answer the same. */
export const lines: Claim = async (servers) => {
  const counts = new Map<System, number>();
  for (const system of systems) {
    const program = new URL(`../../peers/programs/${system}.ts`, import.meta.url);
    await assertWorks(servers, system, program);
    counts.set(system, linesOf(readFileSync(program, 'utf8')));
  }
  const ours = counts.get('proofline') ?? Number.NaN;
  const others = systems.filter((system) => system !== 'proofline').map((system) => counts.get(system) ?? Number.NaN);
  return {
    title: 'Lines of code for the same job',
    body: [
      'An order is charged and a mail is sent: payload checked, submitted once by a key, five attempts with a growing pause, a minute at most for each, the charge not repeated when the mail fails, progress, and the caller gets the result. Each program is run here; its first mail fails, and a second charge would fail it. Lines without blank ones and comments, formatted alike.',
      table(
        ['system', 'lines', 'not in them'],
        [...counts].map(([system, count]) => [system, String(count), missing[system]]),
      ),
    ].join('\n\n'),
    compared: [
      {
        what: 'a program for the same job',
        unit: 'lines',
        ours,
        peers: Object.fromEntries([...counts].filter(([system]) => system !== 'proofline')),
      },
    ],
    verdicts: [
      {
        promise: 'fewer lines than with each of the peers',
        measured: `${ours} (${others.map(figure).join(', ')})`,
        held: others.every((count) => ours < count),
      },
    ],
  };
};

async function assertWorks(servers: Servers, system: System, program: URL): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const environment = async () => {
    if (system !== 'proofline') return await servers.fresh('empty');
    const { api, address } = await startOpenApi(servers);
    stack.use(api);
    return { PROOFLINE_URL: address.url, PROOFLINE_KEY: address.key };
  };
  const env = { ...process.env, ...(await environment()) };
  const argv = ['--conditions=@proofline/source', program.pathname];
  const { stdout } = await promisify(execFile)(process.execPath, argv, { env, timeout: 60_000 });
  const said = stdout.trim().split('\n').at(-1);
  if (said !== RESULT) throw new Error(`${system}: expected ${RESULT}, got ${stdout}`);
}

/** Lines that are neither blank nor comments. */
function linesOf(text: string): number {
  return text.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('//')).length;
}
