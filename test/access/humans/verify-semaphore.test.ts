import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bn254 } from '@noble/curves/bn254.js';
import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import { scalarOrder } from '#src/access/humans/semaphore/field.ts';
import { verifyGroth16 } from '#src/access/humans/semaphore/groth16.ts';
import { SemaphoreProof } from '#src/access/humans/semaphore/proof-schema.ts';
import { verifySemaphore } from '#src/access/humans/semaphore/verify-semaphore.ts';

const file = join(import.meta.dirname, '../../vectors/semaphore/proof-depth20-offline.json');
const published: SemaphoreProof = JSON.parse(readFileSync(file, 'utf8'));

const schema = Compile(SemaphoreProof);
const fits = (value: unknown) => schema.Check(value);
const holds = (proof: SemaphoreProof): boolean => {
  try {
    verifySemaphore(proof);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_proof' });
    return false;
  }
};
const withPoint = (index: number, text: string): SemaphoreProof => ({
  ...published,
  points: published.points.with(index, text),
});

test('the published proof holds, and says its numbers', () => {
  expect(fits(published)).toBe(true);
  expect(verifySemaphore(published)).toEqual({
    root: BigInt(published.merkleTreeRoot),
    nullifier: BigInt(published.nullifier),
    message: BigInt(published.message),
    scope: BigInt(published.scope),
  });
});

test.each(['merkleTreeRoot', 'nullifier', 'message', 'scope'] as const)(
  'a proof for another %s does not hold',
  (name) => {
    expect(holds({ ...published, [name]: (BigInt(published[name]) + 1n).toString() })).toBe(false);
  },
);

test('one nullifier has one text: other spellings do not fit, and n + r does not hold', () => {
  const { nullifier } = published;
  for (const text of [
    `0${nullifier}`,
    `0x${BigInt(nullifier).toString(16)}`,
    `+${nullifier}`,
    ` ${nullifier}`,
    `${nullifier}n`,
    `${nullifier}.0`,
    `-${nullifier}`,
    '',
  ]) {
    expect(fits({ ...published, nullifier: text })).toBe(false);
  }
  const larger = (BigInt(nullifier) + scalarOrder).toString();
  expect(fits({ ...published, nullifier: larger })).toBe(true);
  expect(holds({ ...published, nullifier: larger })).toBe(false);
  const root = (BigInt(published.merkleTreeRoot) + scalarOrder).toString();
  expect(holds({ ...published, merkleTreeRoot: root })).toBe(false);
});

test('another depth, other sizes, and what the schema does not know do not fit', () => {
  const wrong = [
    { ...published, merkleTreeDepth: 19 },
    { ...published, merkleTreeDepth: '20' },
    { ...published, points: published.points.slice(1) },
    { ...published, points: [...published.points, '1'] },
    { ...published, message: '9'.repeat(79) },
    { ...published, message: 1 },
    { ...published, more: 1 },
    null,
    'proof',
  ];
  expect(wrong.map(fits)).toEqual(wrong.map(() => false));
});

test('every coordinate counts: a changed one makes no proof, on the curve or not', () => {
  for (const index of published.points.keys()) {
    expect(holds(withPoint(index, (BigInt(published.points[index] ?? 0) + 1n).toString()))).toBe(false);
  }
});

test('a coordinate plus the field order is another text of the same point, and is refused', () => {
  const order = bn254.fields.Fp.ORDER;
  for (const index of published.points.keys()) {
    const larger = BigInt(published.points[index] ?? 0) + order;
    expect(holds(withPoint(index, larger.toString()))).toBe(false);
  }
});

test('points at infinity, the negated proof, and parts that have changed places make no proof', () => {
  const [ax = '', ay = '', bx1 = '', bx0 = '', by1 = '', by0 = '', cx = '', cy = ''] = published.points;
  const minus = (text: string) => (bn254.fields.Fp.ORDER - BigInt(text)).toString();
  const others = [
    Array.from({ length: 8 }, () => '0'),
    ['0', '0', bx1, bx0, by1, by0, cx, cy],
    [ax, ay, '0', '0', '0', '0', cx, cy],
    [ax, ay, bx1, bx0, by1, by0, '0', '0'],
    [ax, minus(ay), bx1, bx0, by1, by0, cx, cy],
    [cx, cy, bx1, bx0, by1, by0, ax, ay],
    // real and imaginary parts in the other order
    [ax, ay, bx0, bx1, by0, by1, cx, cy],
  ];
  for (const points of others) expect(holds({ ...published, points })).toBe(false);
});

test('a point of the curve of G2 that is not in its subgroup is refused', () => {
  const { Fp2 } = bn254.fields;
  const b = Fp2.div(Fp2.fromBigTuple([3n, 0n]), Fp2.fromBigTuple([9n, 1n]));
  const outside = Array.from({ length: 100 }, (_, x) => Fp2.fromBigTuple([BigInt(x + 1), 0n])).flatMap((x) => {
    const square = Fp2.add(Fp2.mul(Fp2.sqr(x), x), b);
    try {
      const point = bn254.G2.Point.fromAffine({ x, y: Fp2.sqrt(square) });
      return point.isTorsionFree() ? [] : [point.toAffine()];
    } catch {
      return []; // no point of the curve has this x
    }
  });
  const [{ x, y } = { x: Fp2.ZERO, y: Fp2.ZERO }] = outside;
  expect(outside.length).toBeGreaterThan(0);
  const [ax = '', ay = '', , , , , cx = '', cy = ''] = published.points;
  const points = [ax, ay, x.c1, x.c0, y.c1, y.c0, cx, cy].map(String);
  expect(holds({ ...published, points })).toBe(false);
});

test('signals of another number, negative or not below the scalar order are refused', () => {
  expect(verifyGroth16(published.points, [])).toBe(false);
  expect(verifyGroth16(published.points, [1n, 2n, 3n])).toBe(false);
  expect(verifyGroth16(published.points, [-1n, 0n, 0n, 0n])).toBe(false);
  expect(verifyGroth16(published.points, [scalarOrder, 0n, 0n, 0n])).toBe(false);
});

test('a message or scope of more than 256 bits is refused', () => {
  const large = (BigInt(published.message) + 2n ** 256n).toString();
  expect(holds({ ...published, message: large })).toBe(false);
});
