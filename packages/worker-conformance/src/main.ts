#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { groups } from './cases/index.ts';
import { type CaseResult, runConformance } from './run-cases.ts';

const help = `usage: proofline-conformance [options] -- <program> [arguments]

Starts a server on loopback and the worker program at it, by PROOFLINE_URL and PROOFLINE_KEY, and drives it through the
protocol, case by case.
  --only <group>      cases of one group, may be repeated: ${Object.keys(groups).join(', ')}
  --patience <s>      seconds to wait for what must come (20)
  --together <n>      cases at once (1)
  --json              a line of JSON for each case: group, name, faults
  --help              this text

Exit codes: 0 every case has passed; 1 one has not; 2 the arguments are wrong.
`;

/** A case as a row of the table, with what is wrong below. */
function rowOf({ group, name, faults }: CaseResult): string {
  const head = `${faults.length === 0 ? 'pass' : 'FAIL'}  ${group.padEnd(8)} ${name}\n`;
  return head + faults.map((fault) => `      ${' '.repeat(8)} - ${fault}\n`).join('');
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new TypeError(`--${name}: expected a number above zero, got ${text}.`);
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: 'string', multiple: true },
      patience: { type: 'string', default: '20' },
      together: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  if (positionals.length === 0) throw new TypeError('expected the worker program behind --, got none.');
  const results = await runConformance({
    command: positionals,
    ...(values.only && { groups: values.only }),
    patienceMs: positive('patience', values.patience) * 1_000,
    together: Math.ceil(positive('together', values.together)),
    onResult: (result) => void process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : rowOf(result)),
  });
  const failed = results.filter(({ faults }) => faults.length > 0).length;
  if (!values.json) process.stdout.write(`\n${results.length - failed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof TypeError)) throw error;
  process.stderr.write(`${error.message}\n\n${help}`);
  process.exitCode = 2;
}
