import { parseArgs } from 'node:util';
import { runLimits } from './run.ts';

const help = `usage: npm run chaos:limits -- [--claims N] [--minutes N] [--width N] [--seed N]

Runs limited jobs while workers and feeders are killed and limits change, and counts by an observer of its own.
  --claims N    begins of jobs after which it ends (default 1000000)
  --minutes N   ends it by then in any case (default 30)
  --width N     times as many at once as in the test suite (default 4)
  --seed N      the seed of an earlier run (default: a new one)

Exit codes: 0 no limit was passed and every job ended once; 1 else.
`;

const { values } = parseArgs({
  options: {
    claims: { type: 'string', default: '1000000' },
    minutes: { type: 'string', default: '30' },
    width: { type: 'string', default: '4' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);

if (values.help) process.stdout.write(help);
else {
  say(`seed ${values.seed}`);
  const run = await runLimits({
    seed: Number(values.seed),
    claims: Number(values.claims),
    mostMs: Number(values.minutes) * 60_000,
    width: Number(values.width),
    say,
  });
  const perSecond = (run.begins / (run.ms / 1_000)).toFixed(0);
  say(`${run.begins} claims, ${perSecond} a second; ${run.kills} kills, ${run.changes} changes of limits`);
  say(`at the worst ${run.worst} jobs more ran at once than a limit lets`);
  for (const [scope, times] of run.reached) say(`  ${scope}: at its limit ${times} times`);
  for (const line of run.wrong) say(`wrong: ${line}`);
  process.exit(run.wrong.length === 0 ? 0 : 1);
}
