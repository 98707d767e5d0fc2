import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** What a file has that does something again and again. */
const repeats = /\bsetInterval\(|\bwhile \(|\bfor \(;;\)|\blead\(|\bevery\(/;
/** A failure with its stack, whatever the reason. */
const logged = /\blog\.(?:warn|error)\(\s*\{\s*err\b/g;
/** Says that the thing is tried again. */
const again = /comes? again|tried again|repeating it|trying on/;

/** Lines that tell of no outage, and why. */
const others: Readonly<Record<string, string>> = {
  'src/platform/batches/write-results.ts': 'an answer that was made cannot be shown: a fault of ours',
  'src/receipts/manifest-anchors.ts': 'another manifest was anchored: a person has to look at it',
};

const files = globSync('{src,workers}/**/*.ts', { cwd: `${import.meta.dirname}/../..` }).map((path) => ({
  path,
  text: readFileSync(`${import.meta.dirname}/../../${path}`, 'utf8'),
}));

test('what is done again and again logs its failures by logFailure: an outage is one line, and not one for each try', () => {
  const plain = files.filter(({ text }) => (repeats.test(text) || again.test(text)) && text.match(logged) !== null);
  expect(plain.map(({ path }) => path).toSorted()).toEqual(Object.keys(others).toSorted());
});

test('a stack beside a sentence that says it comes again is nowhere else', () => {
  const said = files.flatMap(({ path, text }) =>
    [...text.matchAll(logged)]
      .filter(({ index }) => again.test(text.slice(index, text.indexOf(');', index))))
      .map(() => path),
  );
  expect(said).toEqual([]);
});
