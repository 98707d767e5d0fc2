import { existsSync, globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { shellVariables } from '#src/commands/data/env.ts';
import { proofline } from '#src/commands/program.ts';
import { settings } from '#src/system/config/settings.ts';
import { metricTable } from '#src/system/metrics/metric-table.ts';
import { blocksOf, pages, proseOf, readPage, shellBlocks } from './blocks.ts';
import { expected } from './expected.ts';

const root = join(import.meta.dirname, '../..');
const others = [
  'src/README.md',
  'dashboards/console/README.md',
  'deploy/RUNBOOK.md',
  'bench/results.md',
  'python/README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
];
const decisions = globSync('docs/decisions/*.md', { cwd: root });
const linking = [...pages, ...others, ...decisions];

/** The anchors of a page's headings, as GitHub makes them: the second of the same name gets a number. */
function anchorsOf(page: string): readonly string[] {
  const seen = new Map<string, number>();
  return [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => {
    const slug = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-');
    const before = seen.get(slug) ?? 0;
    seen.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  });
}

/** Targets of the relative links of a page, as paths from the root. */
function linksOf(page: string): readonly { readonly file: string; readonly anchor: string | undefined }[] {
  return [...proseOf(page).matchAll(/\]\(([^)]+)\)/g)]
    .map(([, target = '']) => target.replaceAll(/\s/g, ''))
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor] = target.split('#');
      return { file: path === '' ? page : join(dirname(page), path), anchor };
    });
}

test('every relative link of the pages leads to a file that is there, and every anchor to a heading of it', () => {
  const links = linking.flatMap((page) => linksOf(page).map((link) => ({ page, ...link })));
  expect(links.length).toBeGreaterThan(150);
  const broken = links.filter(
    ({ file, anchor }) => !existsSync(join(root, file)) || (anchor !== undefined && !anchorsOf(file).includes(anchor)),
  );
  expect(broken).toEqual([]);
});

test('error: an anchor that no heading has is found', () => {
  expect(anchorsOf('docs/job-life.md')).toContain('when-a-worker-dies');
  expect(anchorsOf('docs/job-life.md')).not.toContain('when-a-worker-lives');
});

test('texts of the code name pages and anchors that are there', () => {
  const files = globSync('{src,queues,workers,bin,deploy,dashboards}/**/*.{ts,tsx,mjs,yaml,sh,md}', {
    cwd: root,
    exclude: ['**/node_modules/**', 'dashboards/console/dist/**'],
  });
  const gone = files.flatMap((file) =>
    [...readPage(file).matchAll(/\b(README\.md|docs\/[\w/-]+\.md)(?:#([\w-]+))?/g)]
      // a README in the same folder is meant
      .filter(([, page = '']) => page !== 'README.md' || !existsSync(join(root, dirname(file), page)))
      .filter(
        ([, page = '', anchor]) =>
          !existsSync(join(root, page)) || (anchor !== undefined && !anchorsOf(page).includes(anchor)),
      )
      .map(([named]) => `${file}: ${named}`),
  );
  expect(gone).toEqual([]);
});

test('README is at most 150 lines, and docs/index.md leads to every page and every decision', () => {
  expect(readPage('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  const led = new Set(linksOf('docs/index.md').map(({ file }) => file));
  expect([...pages, ...decisions].filter((page) => page !== 'docs/index.md' && !led.has(page))).toEqual([]);
});

test('decisions are numbered without gaps, each once, by their file, their heading and docs/index.md alike', () => {
  const names = decisions.map((page) => basename(page)).toSorted();
  const numbers = names.map((_, index) => index + 1);
  expect(names.map((name) => Number(/^(\d{3})-/.exec(name)?.[1]))).toEqual(numbers);
  const headings = names.map((name) => /^# (\d+)\. /.exec(readPage(`docs/decisions/${name}`))?.[1]);
  expect(headings.map(Number)).toEqual(numbers);
  const titles = names.map((name) =>
    readPage(`docs/decisions/${name}`)
      .split('\n')[0]
      ?.replace(/^# \d+\. /, ''),
  );
  expect(new Set(titles).size).toBe(titles.length);
  const listed = [...readPage('docs/index.md').matchAll(/^\| \[(\d+)\]\(decisions\/(\d{3})-/gm)];
  expect(listed.map(([, shown, file]) => [Number(shown), Number(file)])).toEqual(numbers.map((n) => [n, n]));
});

test('files and folders that the pages name are there, also those in drawings', () => {
  // docs/add-a-job.md makes some
  const made = /acme/;
  const named = pages.flatMap((page) =>
    [...proseOf(page).matchAll(/`((?:src|queues|workers|sql|test|deploy|dashboards|bench|bin|docs)\/[\w./-]*)`/g)].map(
      ([, path = '']) => ({ page, path }),
    ),
  );
  expect(named.length).toBeGreaterThan(80);
  expect(named.filter(({ path }) => !made.test(path) && !existsSync(join(root, path)))).toEqual([]);
  const files = new Set(globSync('{src,queues,workers}/**/*.ts', { cwd: root }).map((file) => basename(file)));
  const drawn = pages
    .flatMap(blocksOf)
    .filter(({ language }) => language === 'mermaid')
    .flatMap(({ text, at }) => [...text.matchAll(/\b[a-z-]+(?:\.thread)?\.ts\b/g)].map(([file]) => ({ at, file })));
  expect(drawn.length).toBeGreaterThan(20);
  expect(drawn.filter(({ file }) => !files.has(file))).toEqual([]);
});

const program = await proofline();

/** Reason why these words are not a command line of ours; undefined when they are. */
function noCommand(words: readonly string[]): string | undefined {
  let level: Command = program;
  for (const word of words) {
    if (level.commands.length === 0 || !/^[a-z][a-z-]*$/.test(word)) return undefined;
    const next = level.commands.find((one) => one.name() === word);
    if (!next) return `${level.name()} has no ${word}`;
    level = next;
  }
  return undefined;
}

test('commands, settings and metrics that the pages name exist', () => {
  const texts = pages.map((page) => ({ page, text: readPage(page) }));
  const lines = texts.flatMap(({ text }) =>
    [...text.matchAll(/(?:`|^|\(|\$ )proofline ([a-z][^`\n)|>]*)/gm)].map(([, line = '']) => line),
  );
  expect(lines.length).toBeGreaterThan(40);
  expect(lines.flatMap((line) => noCommand(line.trim().split(/\s+/)) ?? [])).toEqual([]);
  expect(noCommand(['jobs', 'shwo'])).toBe('jobs has no shwo');

  const variables = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'LOCAL_MEDIA', 'PROPERTY_SEED'];
  const known = new Set([...Object.keys(settings), ...Object.keys(shellVariables(nothing)), ...variables]);
  // a cookie, beside the metrics
  const metrics = new Set([...Object.keys(metricTable), 'proofline_session']);
  for (const { page, text } of texts) {
    for (const [, name = ''] of text.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g))
      expect([page, name, known.has(name)]).toEqual([page, name, true]);
    for (const [, name = ''] of text.matchAll(/`(proofline_[a-z_]+)`/g))
      expect([page, name, metrics.has(name)]).toEqual([page, name, true]);
  }
});

/** A system without values. */
const nothing = {
  url: '',
  keys: { admin: '', studio: '', analytics: '', jobs: '', human: null },
  servers: {
    api: { pid: 0, metrics: '' },
    worker: { pid: 0, metrics: '' },
    postgres: { url: '', private: true },
    redis: { url: '', private: true },
    chain: null,
    identity: null,
  },
};

test('every shell block has one entry in the table of expected output, and every entry a block', () => {
  for (const page of pages) {
    const texts = shellBlocks(page, 'sh', 'bash', 'zsh').map(({ text }) => text);
    const entries = expected[page] ?? [];
    for (const [words] of entries)
      expect([page, words, texts.filter((text) => text.includes(words)).length]).toEqual([page, words, 1]);
    expect([page, entries.length]).toEqual([page, texts.length]);
  }
  expect(Object.keys(expected).filter((page) => !pages.includes(page))).toEqual([]);
});

test('every block is in a known language, without constructs that bash and zsh read differently', () => {
  const known = [
    'sh',
    'bash',
    'zsh',
    'console',
    'ts',
    'diff',
    'python',
    'json',
    'mermaid',
    'csv',
    'ndjson',
    'text',
    '',
  ];
  for (const { language, text, at } of pages.flatMap(blocksOf)) {
    expect([at, known.includes(language)]).toEqual([at, true]);
    if (language === 'json') expect(JSON.parse(text), at).toBeTypeOf('object');
    if (!['sh', 'bash', 'zsh'].includes(language)) continue;
    // a comment is a command for zsh as people have it
    expect([at, /(^|\s)#/.exec(text)?.[0]]).toEqual([at, undefined]);
    // what bash and zsh take differently: arrays, tests in double brackets, words split or globbed without quotes
    if (language === 'sh')
      expect([at, /(?:^|;|\bif )\s*\[\[ |^\s*\w+=\(|\$\{\w+\[|<\(|&>|\bread -/m.exec(text)?.[0]]).toEqual([
        at,
        undefined,
      ]);
  }
});
