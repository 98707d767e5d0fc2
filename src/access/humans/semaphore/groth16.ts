import { bn254 } from '@noble/curves/bn254.js';
import { scalarOrder } from './field.ts';
import key from './semaphore-20.json' with { type: 'json' };

const { G1, G2, fields } = bn254;
type PointG1 = ReturnType<typeof pointG1>;

/**
 * A point as snarkjs writes it: decimal coordinates, affine.
 *
 * @throws Error for one that is not in the group of the curve.
 */
function pointG1([x = '', y = '']: readonly string[]) {
  const point = G1.Point.fromAffine({ x: coordinate(x), y: coordinate(y) });
  return usable(point);
}

/**
 * Both coordinates as pairs `real, imaginary`. The check covers the subgroup: the curve of G2 has more points than its
 * group.
 */
function pointG2([x = [], y = []]: readonly (readonly string[])[]) {
  const pair = ([real = '', imaginary = '']: readonly string[]) =>
    fields.Fp2.fromBigTuple([coordinate(real), coordinate(imaginary)]);
  const point = G2.Point.fromAffine({ x: pair(x), y: pair(y) });
  return usable(point);
}

/** The point at infinity is in every group, and would take its part of the proof out of the equation. */
function usable<P extends { is0: () => boolean; assertValidity: () => void }>(point: P): P {
  if (point.is0()) throw new RangeError('expected a point, got the one at infinity');
  point.assertValidity();
  return point;
}

/** The field type reduces what is too large without a word; one point would then have many texts. */
function coordinate(text: string): bigint {
  const value = BigInt(text);
  if (value < fields.Fp.ORDER) return value;
  throw new RangeError('expected a coordinate below the field order, got a larger one');
}

const alpha = pointG1(key.vk_alpha_1);
const beta = pointG2(key.vk_beta_2);
const gamma = pointG2(key.vk_gamma_2);
const delta = pointG2(key.vk_delta_2);
const [base, ...inputs] = key.IC.map((point) => pointG1(point)) as [PointG1, ...PointG1[]];

/**
 * Checks a Groth16 proof over BN254 against the public signals, under the verification key of Semaphore v4 at depth 20.
 * About 40 ms of CPU.
 *
 * `points` are the eight numbers that Semaphore packs a proof into: A; B with the imaginary part of each coordinate
 * first; C. Points that are not on the curve, not in its subgroup, at infinity or not written in the field make the
 * answer false, and so do signals that are not below the scalar order.
 *
 * @see Groth, On the Size of Pairing-based Non-interactive Arguments (2016), section 3.2
 */
export function verifyGroth16(points: readonly string[], signals: readonly bigint[]): boolean {
  if (signals.length !== inputs.length || signals.some((signal) => signal < 0n || signal >= scalarOrder)) return false;
  const parts = readPoints(points);
  if (!parts) return false;
  const bound = inputs.reduce((sum, point, index) => sum.add(point.multiplyUnsafe(signals[index] ?? 0n)), base);
  if (bound.is0()) return false;
  const product = bn254.pairingBatch([
    { g1: parts.a.negate(), g2: parts.b },
    { g1: alpha, g2: beta },
    { g1: bound, g2: gamma },
    { g1: parts.c, g2: delta },
  ]);
  return fields.Fp12.eql(product, fields.Fp12.ONE);
}

function readPoints(points: readonly string[]) {
  const [ax = '', ay = '', bx1 = '', bx0 = '', by1 = '', by0 = '', cx = '', cy = ''] = points;
  try {
    return {
      a: pointG1([ax, ay]),
      b: pointG2([
        [bx0, bx1],
        [by0, by1],
      ]),
      c: pointG1([cx, cy]),
    };
  } catch {
    // whatever cannot be a point makes no proof
    return null;
  }
}
