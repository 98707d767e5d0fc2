import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const manifests = ['package.json', ...globSync('packages/*/package.json', { cwd: root })];
const licenceOf = (manifest: string) => (JSON.parse(read(manifest)) as { license: string }).license;
const fileBeside = (manifest: string) => manifest.replace('package.json', 'LICENSE');

/** Sentences that the text of a licence has, by its SPDX id; UNLICENSED is npm's word for none. */
const sentences: Readonly<Record<string, RegExp>> = {
  UNLICENSED: /^UNLICENSED\n[\s\S]*All rights reserved\.\n\nNo licence is granted\./,
  MIT: /^MIT License\n[\s\S]*Permission is hereby granted, free of charge, to any person obtaining a copy/,
  'Apache-2.0': /^\s*Apache License\n\s*Version 2\.0, January 2004/,
};

test.each(manifests)('%s names the licence whose text lies beside it', (manifest) => {
  expect(existsSync(join(root, fileBeside(manifest)))).toBe(true);
  const wanted = sentences[licenceOf(manifest)];
  if (!wanted) throw new Error(`expected the sentences of ${licenceOf(manifest)} in this test, got none`);
  expect(read(fileBeside(manifest))).toMatch(wanted);
});

test('every package has the licence of the whole, and its very text', () => {
  expect(manifests.length).toBeGreaterThanOrEqual(5);
  expect(new Set(manifests.map(licenceOf)).size).toBe(1);
  expect(new Set(manifests.map((manifest) => read(fileBeside(manifest)))).size).toBe(1);
});

test('error: the text of another licence is not taken for the named one', () => {
  const text = read('LICENSE');
  expect(Object.keys(sentences).filter((id) => sentences[id]!.test(text))).toEqual([licenceOf('package.json')]);
});

test('a manifest without a licence to grant is private, so that no registry takes it by mistake', () => {
  for (const manifest of manifests)
    expect([manifest, (JSON.parse(read(manifest)) as { private?: boolean }).private]).toEqual([manifest, true]);
});
