import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callEnds } from '#src/providers/calls/call-ends.ts';
import { loadCatalogue } from '#src/providers/catalogue/catalogue-load.ts';
import { policyWeights } from '#src/providers/routing/routing.ts';

const page = readFileSync(new URL('../../docs/providers.md', import.meta.url), 'utf8');

test('the catalogue that docs/providers.md shows is one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proofline-docs-'));
  const path = join(folder, 'providers.json');
  writeFileSync(path, /```json\n([^]*?)```/.exec(page)?.[1] ?? '');
  const ids = loadCatalogue({ PROVIDERS_FILE: path }).map(({ id }) => id);
  rmSync(folder, { recursive: true });
  expect(ids).toEqual(['local-animatic', 'openai', 'replicate', 'fal']);
});

test('docs/providers.md has the weights of each policy', () => {
  const rows = [...page.matchAll(/^\| `(\w+)` \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$/gm)];
  const written = rows.map(([, policy, ...weights]) => [policy, ...weights.map(Number)]);
  const used = Object.entries(policyWeights).map(([policy, { quality, latency, cost, health }]) => [
    policy,
    quality,
    latency,
    cost,
    health,
  ]);
  expect(written).toEqual(used);
});

test('docs/providers.md says of every end of a call what becomes of its money', () => {
  const rows = [...page.matchAll(/^\| `(\w+)` \| (.+) \| (settled|released|held) \|$/gm)];
  const written = rows.map(([, end, about, money]) => [end, about, money]);
  expect(written).toEqual(Object.entries(callEnds).map(([end, { about, money }]) => [end, about, money]));
});
