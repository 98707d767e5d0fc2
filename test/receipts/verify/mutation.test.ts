import { expect, test } from 'vitest';
import type { Receipt } from '#src/receipts/format/receipt-schema.ts';
import { parseReceipt } from '#src/receipts/verify/parse-strict.ts';
import { type Attestation, type Trust, verifyReceipt } from '#src/receipts/verify/verify.ts';
import { walk, withValue } from '#test/receipts/leaves-of.ts';
import { anchored, localRpc, manifestOf, sealedReceipt, testKey, trustIn } from '#test/receipts/sample.ts';

const key = testKey(1);

async function wholeReceipt(size: number): Promise<{ receipt: Receipt; trust: Trust }> {
  const { receipt, answers } = await anchored(await sealedReceipt(key, 2), { index: size - 1, size });
  return { receipt, trust: trustIn(await manifestOf(key), [localRpc(answers)]) };
}

const passes = (attestation: Attestation): boolean =>
  [attestation.integrity, attestation.authenticity, attestation.anchor].every(({ verdict }) => verdict === 'pass');

/** Names of the changes that no check noticed. */
async function unnoticed(changes: Iterable<readonly [name: string, changed: unknown]>, trust: Trust) {
  const missed: string[] = [];
  let count = 0;
  for (const [name, changed] of changes) {
    count += 1;
    if (passes(await verifyReceipt(changed, trust))) missed.push(name);
  }
  return { missed, count };
}

test.each([[1], [3]])(
  'property: no changed value of a receipt in a batch of %i goes unnoticed',
  { timeout: 60_000 },
  async (size) => {
    const { receipt, trust } = await wholeReceipt(size);
    expect(passes(await verifyReceipt(receipt, trust))).toBe(true);
    const { missed, count } = await unnoticed(changedLeaves(receipt), trust);
    expect(missed).toEqual([]);
    expect(count).toBeGreaterThan(400);
  },
);

test('property: no member added, removed or named twice, and no entry moved goes unnoticed', {
  timeout: 60_000,
}, async () => {
  const { receipt, trust } = await wholeReceipt(3);
  const { missed, count } = await unnoticed(changedStructures(receipt), trust);
  expect(missed).toEqual([]);
  expect(count).toBeGreaterThan(120);
  const text = JSON.stringify(receipt);
  const names = [...text.matchAll(/\{"([^"]+)":/g)];
  for (const { index, 1: name } of names) {
    const doubled = `${text.slice(0, index + 1)}"${name}":0,${text.slice(index + 1)}`;
    expect(() => parseReceipt(doubled), name).toThrow('expected every name once');
  }
});

test('parts of another whole receipt do not fit', async () => {
  const { receipt, trust } = await wholeReceipt(3);
  const later = await sealedReceipt(key, 2, '2026-11-21T12:00:01.000Z');
  const other = (await anchored(later)).receipt;
  const grown = await sealedReceipt(key, 5);
  const parts = Object.entries({
    root: other.root,
    statement: other.statement,
    seal: other.seal,
    anchor: other.anchor,
    events: grown.events,
  });
  const changed = parts.map(([name, part]) => [name, { ...receipt, [name]: part }] as const);
  expect((await unnoticed(changed, trust)).missed).toEqual([]);
});

test('an unanchored receipt is pending, which is no failure', async () => {
  const { trust } = await wholeReceipt(1);
  const attestation = await verifyReceipt(await sealedReceipt(key), trust);
  expect(attestation).toMatchObject({
    integrity: { verdict: 'pass' },
    authenticity: { verdict: 'pass' },
    anchor: { verdict: 'pending', finality: null, calldata: null },
  });
});

function* changedLeaves(receipt: Receipt): Generator<readonly [string, unknown]> {
  for (const [path, value] of walk(receipt)) {
    if (typeof value === 'object' && value !== null) continue;
    for (const other of otherValues(value)) {
      if (!Object.is(other, value))
        yield [`${path.join('.')}: ${JSON.stringify(other)}`, withValue(receipt, path, other)];
    }
  }
}

function otherValues(value: unknown): readonly unknown[] {
  if (typeof value === 'string') return [...otherTexts(value), null, 0, [value], ''];
  if (typeof value === 'number')
    return [value + 1, value - 1, -value - 1, value + 0.5, String(value), 2 ** 53, -0, null];
  if (typeof value === 'boolean') return [!value, Number(value), String(value), null];
  return [0, '', {}, false];
}

function otherTexts(text: string): readonly string[] {
  const other = (at: number) => text.slice(0, at) + (text[at] === '1' ? '2' : '1') + text.slice(at + 1);
  const places = [0, Math.floor(text.length / 2), text.length - 1].map(other);
  return [...places, `${text} `, text.slice(1), text.slice(0, -1), text.toUpperCase(), `${text}\u0000`];
}

function* changedStructures(receipt: Receipt): Generator<readonly [string, unknown]> {
  for (const [path, value] of walk(receipt)) {
    if (typeof value !== 'object' || value === null) continue;
    const at = path.join('.');
    if (!Array.isArray(value)) {
      for (const name of Object.keys(value))
        yield [`${at} without ${name}`, withValue(receipt, [...path, name], undefined)];
      for (const name of ['extra', '__proto__', 'toJSON']) {
        yield [
          `${at} with ${name}`,
          withValue(receipt, path, JSON.parse(`{"${name}":0,${JSON.stringify(value).slice(1)}`)),
        ];
      }
      continue;
    }
    const list: unknown[] = value;
    yield [`${at} turned`, list.length > 1 ? withValue(receipt, path, list.toReversed()) : null];
    yield [`${at} grown`, withValue(receipt, path, [...list, list[0] ?? 'more'])];
    yield [`${at} cut`, list.length > 0 ? withValue(receipt, path, list.slice(0, -1)) : null];
    yield [`${at} begun later`, list.length > 0 ? withValue(receipt, path, list.slice(1)) : null];
  }
}
