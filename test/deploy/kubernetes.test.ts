import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scaledFleets } from '#deploy/processes.ts';
import { writtenFiles } from '#deploy/write.ts';
import { fleets } from '#queues/fleets.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { settings } from '#src/system/config/settings.ts';
import { programOnPath } from '#src/system/embedded/programs.ts';
import { knownSeries } from '#test/dashboards/known-series.ts';
import { parsePromql } from '#test/dashboards/promql.ts';
import { testFolder } from '#test/helpers/processes.ts';
import { type Manifest, moduleOf, readManifests, readWorkloads, root } from './manifests.ts';

const manifests = readManifests();
const of = (kind: string) => manifests.filter((one) => one.kind === kind);
const bodyOf = (manifest: Manifest) => Object.fromEntries(Object.entries(manifest).filter(([key]) => key !== 'file'));

test.each(Object.entries(writtenFiles()))('%s is what its tables render to', (name, text) => {
  // Written by `node bin/proofline.mjs run deploy/write.ts`.
  expect(readFileSync(join(root, 'deploy', name), 'utf8')).toBe(text);
});

test.each(manifests.map((one) => [`${one.file}: ${one.kind} ${one.metadata.name}`, one] as const))(
  '%s fits its schema',
  async (_, manifest) => {
    const module: Record<string, new (body: object) => { validate: () => void }> = await import(moduleOf(manifest));
    const Kind = module[manifest.kind]!;
    new Kind(bodyOf(manifest)).validate();
    expect(() => new Kind({ ...bodyOf(manifest), metadata: 7 }).validate()).toThrow(/metadata/);
  },
);

test('no manifest has a field that its kind does not know', () => {
  using folder = testFolder();
  symlinkSync(join(root, 'node_modules'), join(folder.path, 'node_modules'));
  // the schemas let unknown fields pass; the types that belong to them do not
  const typed = manifests.map(
    (one, n) => `const m${n}: import('${moduleOf(one)}').I${one.kind} = ${JSON.stringify(bodyOf(one), null, 1)};`,
  );
  const wrong = `// @ts-expect-error\nconst w: import('${moduleOf(of('Service')[0]!)}').IService = { spec: { prots: [] } };`;
  writeFileSync(join(folder.path, 'manifests.ts'), [...typed, wrong, 'export {};'].join('\n'));
  const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'esnext', '--types', ''];
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [compiler, ...flags, 'manifests.ts'], {
    cwd: folder.path,
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
});

test.skipIf(programOnPath(['kubectl']) === undefined)('kustomize builds each of its folders', () => {
  for (const folder of ['', 'system', 'migrate']) {
    const { stdout, stderr } = spawnSync('kubectl', ['kustomize', join(root, 'deploy/kubernetes', folder)], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(stdout).not.toMatch(/image: proofline$/m);
  }
});

test('every fleet has a Deployment that runs it, a budget of disruption, and an autoscaler that asks for all its queues', async () => {
  const known = await knownSeries();
  const queueNames = new Set(Object.values(fleets).flat());
  for (const { name, queues } of scaledFleets()) {
    expect(readWorkloads().find((one) => one.name === name)?.container.args).toEqual(['worker', name]);
    expect(of('PodDisruptionBudget').map(({ metadata }) => metadata.name)).toContain(name);
    const { spec } = of('ScaledObject').find(({ metadata }) => metadata.name === name) as {
      spec?: { triggers: { metadata: { query: string } }[]; scaleTargetRef: { name: string } };
    };
    expect(spec?.scaleTargetRef.name).toBe(name);
    expect(spec?.triggers).toHaveLength(2);
    for (const { metadata } of spec?.triggers ?? []) {
      const { wrongAt, selectors } = parsePromql(metadata.query);
      expect(wrongAt).toBeUndefined();
      for (const { metric } of selectors) expect(known.keys(), metric).toContain(metric);
      for (const [, pattern = ''] of metadata.query.matchAll(/queue=~"([^"]+)"/g)) {
        const matcher = new RegExp(`^(?:${pattern.replaceAll('\\\\', '\\')})$`);
        const matched = [...queueNames].filter((queue) => matcher.test(queue));
        expect(matched.toSorted()).toEqual([...queues].toSorted());
      }
    }
    const [age = '', drain = ''] = (spec?.triggers ?? []).map(({ metadata }) => metadata.query);
    // what alerts and dashboards read as well, and of a paused queue no age: more processes would not start its jobs
    expect(age).toMatch(
      /queue:proofline_queue_oldest_waiting_seconds:max\{.*\} \* on \(queue\) .*proofline_queue_paused/,
    );
    expect(drain).toMatch(/queue:proofline_queue_estimated_drain_seconds:max\{/);
  }
  expect(of('ScaledObject')).toHaveLength(Object.keys(fleets).length);
});

test('every process starts with what its manifest sets, ends in time, and fits into its memory', () => {
  const [given] = of('ConfigMap');
  const secrets = of('Secret')[0]?.stringData ?? {};
  expect(Object.values(secrets).filter((value) => value !== '')).toEqual([]);
  const filled = {
    DATABASE_URL: 'postgres://a/b',
    REDIS_URL: 'redis://a',
    KEY_PEPPER: 'k'.repeat(32),
    ANCHOR_RPC_URL: 'https://chain.example',
    ANCHOR_KEY: `0x${'1'.repeat(64)}`,
  };
  for (const { name, container, graceSeconds } of readWorkloads()) {
    const own = Object.fromEntries((container.env ?? []).map((one) => [one.name, one.value ?? '']));
    const names = Object.keys({ ...given?.data, ...secrets, ...own });
    expect(names.filter((one) => !Object.hasOwn(settings, one) && !one.startsWith('AWS_'))).toEqual([]);
    const config = loadConfig({ ...given?.data, ...filled, ...own });
    // a process that hangs ends itself 3.5 s after its deadline
    if (name !== 'proofline-migrate')
      expect(graceSeconds * 1_000).toBeGreaterThan(
        config.DRAIN_DEADLINE_MS + (container.args[0] === 'api' ? config.UNREADY_MS : 0) + 3_500,
      );
    const threads = container.args[0] === 'worker' ? (config.THREADS_MAX + 1) * config.THREAD_MEMORY_MB : 0;
    const measured = { api: 620, worker: 270, migrate: 130 }[container.args[0]!] ?? 0;
    expect(mebibytes(container.resources.limits.memory)).toBeGreaterThanOrEqual(measured + threads);
    expect(mebibytes(container.resources.requests.memory)).toBeLessThanOrEqual(
      mebibytes(container.resources.limits.memory),
    );
  }
});

function mebibytes(text: string): number {
  const [, count = ''] = /^(\d+)Mi$/.exec(text) ?? [];
  return Number(count);
}
