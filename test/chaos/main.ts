import { parseArgs } from 'node:util';
import { describeRun } from './report.ts';
import { runChaos } from './run.ts';

const help = `usage: npm run chaos -- [--minutes N] [--seed N] [--rate N]

Runs jobs while processes and servers are killed and stopped, then checks every promise.
  --minutes N   how long faults happen (default 5)
  --seed N      the seed of an earlier run, to plan the same jobs and faults again (default: a new one)
  --rate N      jobs a second (default 50)

Exit codes: 0 every promise held; 1 one did not.
`;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    rate: { type: 'string', default: '50' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);

if (values.help) {
  process.stdout.write(help);
} else {
  const lengthMs = positive('--minutes', values.minutes) * 60_000;
  const run = await runChaos({
    seed: positive('--seed', values.seed),
    jobs: Math.max(1, Math.round((lengthMs / 1_000) * positive('--rate', values.rate))),
    lengthMs,
    faultEveryMs: 2_500,
    patienceMs: 120_000,
    say,
  });
  for (const line of describeRun(run)) say(line);
  say(`replay: npm run chaos -- --minutes ${values.minutes} --rate ${values.rate} --seed ${values.seed}`);
  process.exit(run.wrong.length === 0 ? 0 : 1);
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new Error(`${name}: expected a number above zero, got ${JSON.stringify(text)}.`);
}
