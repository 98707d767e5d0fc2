import { sha256 } from '@noble/hashes/sha2.js';

/*
 * Merkle trees of RFC 6962, section 2.1, over SHA-256. A leaf here is its hash already: a tree of one leaf has that
 * hash as its root.
 */

/** SHA-256(0x00 || bytes): the prefix keeps a leaf from ever being read as a node. */
export function leafHash(bytes: Uint8Array): Uint8Array {
  return sha256.create().update(Uint8Array.of(0)).update(bytes).digest();
}

/** SHA-256(0x01 || left || right). */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256.create().update(Uint8Array.of(1)).update(left).update(right).digest();
}

/** The root over leaf hashes in their order; of none, SHA-256 of nothing. */
export function treeRoot(leaves: readonly Uint8Array[]): Uint8Array {
  const [only] = leaves;
  if (only === undefined) return sha256(new Uint8Array());
  if (leaves.length === 1) return only;
  const split = leftSize(leaves.length);
  return nodeHash(treeRoot(leaves.slice(0, split)), treeRoot(leaves.slice(split)));
}

/**
 * The hashes that join leaf `index` to the root, from the leaf upwards. @see RFC 6962, section 2.1.1
 *
 * @throws RangeError unless 0 <= index < leaves.length.
 */
export function inclusionPath(leaves: readonly Uint8Array[], index: number): readonly Uint8Array[] {
  if (!(Number.isInteger(index) && index >= 0 && index < leaves.length)) {
    throw new RangeError(`inclusionPath: expected an index from 0 to ${leaves.length - 1}, got ${index}.`);
  }
  if (leaves.length === 1) return [];
  const split = leftSize(leaves.length);
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
  return index < split
    ? [...inclusionPath(left, index), treeRoot(right)]
    : [...inclusionPath(right, index - split), treeRoot(left)];
}

/**
 * The root that the path folds this leaf hash to, as leaf `index` of `size`; null where no such tree can have this path
 * (one hash too many or too few, an index outside, a hash that is not 32 bytes). @see RFC 9162, section 2.1.3.2
 */
export function foldInclusion(
  leaf: Uint8Array,
  index: number,
  size: number,
  path: readonly Uint8Array[],
): Uint8Array | null {
  if (!isCount(index) || !isCount(size) || index >= size || ![leaf, ...path].every(isHash)) return null;
  let [at, last, root] = [index, size - 1, leaf];
  for (const hash of path) {
    if (last === 0) return null;
    if (isOdd(at) || at === last) {
      root = nodeHash(hash, root);
      // on the right edge the levels without a sibling are skipped
      while (!isOdd(at) && at !== 0) [at, last] = [half(at), half(last)];
    } else root = nodeHash(root, hash);
    [at, last] = [half(at), half(last)];
  }
  return last === 0 ? root : null;
}

export interface ConsistencyProof {
  readonly size1: number;
  readonly root1: Uint8Array;
  readonly size2: number;
  readonly root2: Uint8Array;
  readonly path: readonly Uint8Array[];
}

/** Checks whether the tree of `size2` leaves begins with the tree of `size1` leaves. @see RFC 9162, section 2.1.4.2 */
export function isConsistent({ size1, root1, size2, root2, path }: ConsistencyProof): boolean {
  // an empty tree is the beginning of every tree, so that a proof about one would prove nothing
  if (!isCount(size1) || !isCount(size2) || size1 === 0 || size1 > size2 || !path.every(isHash)) return false;
  if (size1 === size2) return path.length === 0 && equal(root1, root2);
  const [first, ...rest] = isPowerOfTwo(size1) ? [root1, ...path] : path;
  if (first === undefined) return false;
  let [at, last, old, grown] = [size1 - 1, size2 - 1, first, first];
  while (isOdd(at)) [at, last] = [half(at), half(last)];
  for (const hash of rest) {
    if (last === 0) return false;
    if (isOdd(at) || at === last) {
      [old, grown] = [nodeHash(hash, old), nodeHash(hash, grown)];
      while (!isOdd(at) && at !== 0) [at, last] = [half(at), half(last)];
    } else grown = nodeHash(grown, hash);
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && equal(old, root1) && equal(grown, root2);
}

/** The largest power of two below `size`. */
function leftSize(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}

// Not by bits: JavaScript's end at 32, sizes do not.
const isOdd = (value: number): boolean => value % 2 === 1;
const half = (value: number): number => Math.floor(value / 2);
const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
const isHash = (bytes: Uint8Array): boolean => bytes.length === 32;
const isPowerOfTwo = (value: number): boolean => value === leftSize(value + 1);
const equal = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length && left.every((byte, index) => byte === right[index]);
