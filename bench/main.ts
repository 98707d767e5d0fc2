import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { anchors } from './claims/anchors.ts';
import { animatic } from './claims/animatic.ts';
import { batch } from './claims/batch.ts';
import { briefToPlan } from './claims/brief-to-plan.ts';
import { chart } from './claims/chart.ts';
import { endToEnd } from './claims/end-to-end.ts';
import { fanOut } from './claims/fan-out.ts';
import { footprint } from './claims/footprint.ts';
import { gateway } from './claims/gateway.ts';
import { largeTick } from './claims/large-tick.ts';
import { latency } from './claims/latency.ts';
import { live } from './claims/live.ts';
import { memory } from './claims/memory.ts';
import { missions } from './claims/missions.ts';
import { numerics } from './claims/numerics.ts';
import { actOnMany } from './claims/open/act-on-many.ts';
import { bulk } from './claims/open/bulk.ts';
import { fairShares } from './claims/open/fair-shares.ts';
import { inLine } from './claims/open/in-line.ts';
import { kept as keptJobs } from './claims/open/kept.ts';
import { largeFlow } from './claims/open/large-flow.ts';
import { limited } from './claims/open/limited.ts';
import { lines } from './claims/open/lines.ts';
import { notifications } from './claims/open/notifications.ts';
import { ownFleets } from './claims/open/own-fleets.ts';
import { remoteWorkers } from './claims/open/remote-workers.ts';
import { resume } from './claims/open/resume.ts';
import { schedules } from './claims/open/schedules.ts';
import { stepCost } from './claims/open/step-cost.ts';
import { submitHttp } from './claims/open/submit-http.ts';
import { waiting as waitingJobs } from './claims/open/waiting.ts';
import { recovery } from './claims/recovery.ts';
import { spendRace } from './claims/spend-race.ts';
import { submit } from './claims/submit.ts';
import type { BenchOptions, Claim } from './lib/claim.ts';
import { describeMachine } from './lib/machine.ts';
import { type Section, table } from './lib/markdown.ts';
import { startServers } from './lib/servers.ts';

/** In this order: the latency is measured at shares of what end to end reached. */
const claims: Readonly<Record<string, Claim>> = {
  submit,
  'submit-http': submitHttp,
  bulk,
  'end-to-end': endToEnd,
  limited,
  latency,
  'remote-workers': remoteWorkers,
  'step-cost': stepCost,
  resume,
  waiting: waitingJobs,
  kept: keptJobs,
  'in-line': inLine,
  'fair-shares': fairShares,
  'act-on-many': actOnMany,
  schedules,
  notifications,
  'large-flow': largeFlow,
  'own-fleets': ownFleets,
  lines,
  'fan-out': fanOut,
  recovery,
  memory,
  footprint,
  live,
  'large-tick': largeTick,
  numerics,
  anchors,
  missions,
  'brief-to-plan': briefToPlan,
  'spend-race': spendRace,
  animatic,
  batch,
  gateway,
  chart,
};

const help = `usage: npm run bench -- [--only NAME[,NAME]] [--quick] [--waiting COUNT] [--kept COUNT]
                         [--before FOLDER]

Measures the promises side by side with their peers, on private servers, and writes bench/results.md.
  --only   ${Object.keys(claims).join(', ')}; prints its results and writes nothing
  --quick  everything small, to see that it works; prints its results and writes nothing
  --waiting  jobs that wait while others are measured; 1000000 by default
  --kept     jobs that have ended and are kept while others are measured; 10000000 by default (12 GB of disk)
  --before   folder of an older release with its node_modules, to compare own fleets with

Exit codes: 0 measured; 1 failed.
`;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    waiting: { type: 'string', default: '1000000' },
    kept: { type: 'string', default: '10000000' },
    before: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (values.help) process.stdout.write(help);
else await main();
// processes of peers may leave handles of theirs
process.exit(process.exitCode ?? 0);

async function main(): Promise<void> {
  const names = values.only?.split(',') ?? Object.keys(claims);
  const unknown = names.find((name) => !Object.hasOwn(claims, name));
  if (unknown !== undefined)
    throw new Error(`--only: expected ${Object.keys(claims).join(', ')}, got ${JSON.stringify(unknown)}.`);
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const waiting = jobsOf('waiting');
  const kept = jobsOf('kept');
  const options: BenchOptions = { quick: values.quick, say, waiting, kept, before: values.before, known: {} };
  const since = performance.now();
  await using servers = await startServers(say);
  const machine = await describeMachine(servers.databaseUrl, servers.redisUrl);
  const sections: Section[] = [];
  for (const name of names) {
    say(name);
    const section = await claims[name]?.(servers, options);
    if (section) sections.push(section);
  }
  const text = page(machine, sections, (performance.now() - since) / 60_000);
  process.stdout.write(text);
  if (values.only === undefined && !values.quick) writeFileSync(new URL('./results.md', import.meta.url), text);
}

function page(machine: readonly string[], sections: readonly Section[], minutes: number): string {
  const verdicts = sections.flatMap((section) => section.verdicts);
  const parts = [
    '# Results',
    `Written by \`npm run bench\` in ${minutes.toFixed(1)} minutes on ${new Date().toISOString().slice(0, 10)}. Everything of one table was measured in the same run, in interleaved rounds; compare ratios, not rates, with other machines.`,
    machine.map((line) => `- ${line}`).join('\n'),
    '## Promises',
    table(
      ['promise', 'measured', 'held'],
      verdicts.map(({ promise, measured, held }) => [promise, measured, held ? 'yes' : '**no**']),
    ),
    ...sections.flatMap(({ title, body }) => [`## ${title}`, body]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function jobsOf(name: 'waiting' | 'kept'): number {
  const jobs = Number(values[name]);
  if (Number.isInteger(jobs) && jobs > 0) return jobs;
  throw new Error(`--${name}: expected a number of jobs, got ${JSON.stringify(values[name])}.`);
}
