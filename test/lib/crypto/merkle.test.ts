import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hexOf } from '#src/lib/crypto/hex.ts';
import { foldInclusion, inclusionPath, isConsistent, leafHash, nodeHash, treeRoot } from '#src/lib/crypto/merkle.ts';
import proofs from '#test/vectors/receipts/rfc6962-proofs.json' with { type: 'json' };

const bytes = (base64: string | null): Uint8Array => Buffer.from(base64 ?? '', 'base64');
const text = (value: string): Uint8Array => new TextEncoder().encode(value);

test('leaves and nodes are hashed as RFC 6962 says', () => {
  expect(hexOf(treeRoot([]))).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(hexOf(leafHash(text('')))).toBe('6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d');
  expect(hexOf(leafHash(text('L123456')))).toBe('395aa064aa4c29f7010acfe3f25db9485bbd4b91897b6ad7ad547639252b4d56');
  expect(hexOf(nodeHash(text('N123'), text('N456')))).toBe(
    'aa217fe888e47007fa15edab33c2b492a722cb106c64667fc2b044444de66bbb',
  );
});

test('published inclusion proofs, wrong ones among them, are judged as published', () => {
  expect(proofs.inclusion).toHaveLength(98);
  const judged = proofs.inclusion.filter(({ leafIdx, treeSize, root, leafHash: leaf, proof, wantErr }) => {
    const folded = foldInclusion(bytes(leaf), leafIdx, treeSize, (proof ?? []).map(bytes));
    const fits = folded !== null && hexOf(folded) === hexOf(bytes(root));
    return fits === wantErr;
  });
  expect(judged).toEqual([]);
});

test('published consistency proofs, wrong ones among them, are judged as published', () => {
  expect(proofs.consistency).toHaveLength(98);
  const judged = proofs.consistency.filter(({ size1, size2, root1, root2, proof, wantErr }) => {
    const path = (proof ?? []).map(bytes);
    return isConsistent({ size1, size2, root1: bytes(root1), root2: bytes(root2), path }) === wantErr;
  });
  expect(judged).toEqual([]);
});

const someLeaves = fc
  .integer({ min: 1, max: 40 })
  .map((size) => Array.from({ length: size }, (_, index) => leafHash(text(String(index)))));

test('property: every leaf folds to the root by its own path, and by no other index, size or leaf', () => {
  fc.assert(
    fc.property(someLeaves, fc.nat(), fc.nat(), fc.nat(), (leaves, one, other, grown) => {
      const index = one % leaves.length;
      const leaf = leaves[index] ?? leafHash(text('none'));
      const path = inclusionPath(leaves, index);
      const root = hexOf(treeRoot(leaves));
      const fold = (at: number, size: number, of: Uint8Array) => {
        const folded = foldInclusion(of, at, size, path);
        return folded && hexOf(folded);
      };
      expect(fold(index, leaves.length, leaf)).toBe(root);
      expect(fold(index, leaves.length, leafHash(leaf))).not.toBe(root);
      const wrongIndex = other % leaves.length;
      if (wrongIndex !== index) expect(fold(wrongIndex, leaves.length, leaf)).not.toBe(root);
      expect(foldInclusion(leaf, index, leaves.length, [...path, leaf])).toBeNull();
      expect(foldInclusion(leaf, leaves.length + grown, leaves.length, path)).toBeNull();
    }),
  );
});

test('a batch of one has its leaf as root, with an empty path', () => {
  const leaf = leafHash(text('only'));
  expect(treeRoot([leaf])).toEqual(leaf);
  expect(inclusionPath([leaf], 0)).toEqual([]);
  expect(foldInclusion(leaf, 0, 1, [])).toEqual(leaf);
});

test('error: a path is asked for a leaf that is not there', () => {
  expect(() => inclusionPath([leafHash(text('a'))], 1)).toThrow('expected an index from 0 to 0, got 1');
});
