import { expect, test } from 'vitest';
import { faultsOf } from '#packages/check-packed.ts';

const manifest = {
  license: 'UNLICENSED',
  bin: { acme: 'dist/main.js' },
  exports: {
    '.': { '@proofline/source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' },
    './package.json': './package.json',
  },
};
const files = ['package.json', 'README.md', 'LICENSE', 'dist/main.js', 'dist/index.js', 'dist/index.d.ts'];

test('a package with its page, its licence, its entries and their types may be published', () => {
  expect(faultsOf(files, manifest)).toEqual([]);
  // a project begins with sources, and the package brings Node by a lockfile
  expect(faultsOf([...files, 'packages/templates/new/job.ts', 'runtime/package-lock.json'], manifest)).toEqual([]);
});

test.each([
  ['dist/index.test.js', 'is of development alone'],
  ['test/thing.js', 'is of development alone'],
  ['.env', 'may be a secret, or was built elsewhere'],
  ['secrets/key.pem', 'may be a secret, or was built elsewhere'],
  ['package-lock.json', 'is of a checkout'],
  ['src/index.ts', 'is a source, which Node does not run below node_modules'],
])('error: %s is not in a package', (file, why) => {
  expect(faultsOf([...files, file], manifest)).toEqual([`${file} ${why}`]);
});

test.each([
  ['README.md', 'expected README.md, got none'],
  ['LICENSE', 'expected LICENSE, got none'],
  ['dist/index.d.ts', 'package.json names dist/index.d.ts, which is not in it'],
  ['dist/main.js', 'package.json names dist/main.js, which is not in it'],
])('error: a package without %s is told', (file, fault) => {
  expect(
    faultsOf(
      files.filter((one) => one !== file),
      manifest,
    ),
  ).toEqual([fault]);
});

test('error: an entry without types, and a package without a licence, are told', () => {
  const faults = faultsOf(files, { exports: { '.': { default: './dist/index.js' } } });
  expect(faults).toEqual(['the entry . has no types', 'package.json names no licence']);
});
