import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Receipt } from '#src/receipts/format/receipt-schema.ts';
import { programOnPath } from '#src/system/embedded/programs.ts';
import { anchored, manifestOf, sealedReceipt, testKey, trustIn } from '#test/receipts/sample.ts';

/*
 * The lines of docs/receipts.md, run as they stand there: another language computes chain, root and inclusion, and another
 * implementation checks the seal.
 */
const page = readFileSync(join(import.meta.dirname, '../../../docs/receipts.md'), 'utf8');
const program = found(/```python\n([\s\S]*?)```/);
const commands = {
  python: found(/^(\(cd \$DIR && python3 .*\))$/m),
  openssl: found(/^(\(cd \$DIR && openssl .*\))$/m),
};

function found(lines: RegExp): string {
  const text = lines.exec(page)?.[1];
  if (text === undefined) throw new Error(`expected docs/receipts.md to have ${lines}`);
  return text;
}

const here = process.env['PATH'] ?? '';
const python = here
  .split(delimiter)
  .map((folder) => join(folder, 'python3'))
  .find((path) => spawnSync(path, ['--version']).status === 0);
const opensslPath = programOnPath(['openssl']);
const missing = [python === undefined && 'python3', opensslPath === undefined && 'openssl']
  .filter(Boolean)
  .join(' and ');
const where = missing === '' ? '' : ` (skipped: no ${missing} here)`;
const key = testKey(1);

/** What Python says of a receipt, and then openssl of its seal. */
async function judged(receipt: Receipt): Promise<{ python: string; openssl: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'proofline-interop-'));
  try {
    writeFileSync(join(folder, 'verify.py'), program);
    writeFileSync(join(folder, 'receipt.json'), JSON.stringify(receipt, null, 1));
    writeFileSync(join(folder, 'jwks.json'), JSON.stringify(trustIn(await manifestOf(key)).jwks));
    // the python3 that was found to work comes first, whatever stands before it
    const env = { ...process.env, DIR: folder, PATH: [dirname(python ?? ''), here].join(delimiter) };
    const run = (command: string) => {
      const { stdout, stderr } = spawnSync('sh', ['-c', command], { env, encoding: 'utf8' });
      return `${stdout}${stderr}`.trim();
    };
    const said = run(commands.python);
    return { python: said, openssl: run(commands.openssl) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test(`Python and openssl, by the lines of docs/receipts.md, find what we find${where}`, {
  skip: missing !== '',
}, async () => {
  const sealed = await sealedReceipt(key, 20);
  expect(await judged(sealed)).toEqual({ python: '', openssl: 'Signature Verified Successfully' });
  for (const [index, size] of [
    [0, 1],
    [1, 3],
    [2, 3],
    [4, 7],
    [6, 7],
    [7, 8],
  ] as const) {
    const { receipt } = await anchored(sealed, { index, size });
    const expected = `the calldata of ${receipt.anchor?.tx} must be ${receipt.anchor?.root}`;
    expect(await judged(receipt), `${index} of ${size}`).toEqual({
      python: expected,
      openssl: 'Signature Verified Successfully',
    });
  }
});

test(`Python and openssl notice what was changed${where}`, { skip: missing !== '' }, async () => {
  const { receipt } = await anchored(await sealedReceipt(key));
  const changed = (from: string, to: string) => JSON.parse(JSON.stringify(receipt).replace(from, to)) as Receipt;
  expect((await judged(changed('"step":"step-1"', '"step":"step-2"'))).python).toContain('AssertionError: event 1');
  expect((await judged(changed('"outcome":"succeeded"', '"outcome":"failed"'))).python).toContain(
    'AssertionError: root',
  );
  expect((await judged(changed('"index":1', '"index":0'))).python).toContain('AssertionError: inclusion');
  const other = await sealedReceipt(key, 4, '2026-11-21T12:00:01.000Z');
  expect((await judged({ ...receipt, seal: other.seal })).openssl).toContain('Signature Verification Failure');
});
