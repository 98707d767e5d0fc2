import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { visibleChain } from '#src/analytics/chains/chain-store.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { openContext } from '#src/system/context.ts';
import { testConfig } from '#test/helpers/config.ts';
import { runCommand, testFolder } from '#test/helpers/processes.ts';

const root = join(import.meta.dirname, '../../..');
const example = join(root, 'src/analytics/chains/example-chain.csv');

/** A system whose addresses `proofline ingest` gets as settings. */
async function system() {
  await using stack = new AsyncDisposableStack();
  const { config, env } = stack.use(await testConfig());
  const context = stack.use(await openContext(config, 'test'));
  const all = stack.move();
  return {
    context,
    ingest: (...args: string[]) => runCommand(process.execPath, [join(root, 'src/cli.ts'), 'ingest', ...args], env),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

test('ingest loads a chain for everyone and asks for its analytics', async () => {
  await using api = await system();
  await using script = api.ingest('spx', example);
  expect([await script.ended, script.output()]).toEqual([0, expect.stringMatching(/^loaded; .* job [0-9a-f-]{36}\n$/)]);
  const chain = await visibleChain(api.context, 'SPX', 'anybody', 'own');
  expect(chain).toMatchObject({ symbol: 'SPX', owner: null, analytics: null });
  const job = await readJob(api.context, /job (\S+)/.exec(script.output())?.[1] ?? '');
  expect(job).toMatchObject({
    owner: 'system',
    queue: 'analytics.fit',
    state: 'queued',
    payload: { chainId: chain?.id },
  });
});

test('error: wrong use is told with exit code 2, a chain that cannot be used with 1, and neither stores one', async () => {
  await using api = await system();
  using folder = testFolder();
  const bad = join(folder.path, 'bad.csv');
  writeFileSync(bad, 'Dear sir, please find attached');
  const cases: [args: string[], code: number, says: RegExp][] = [
    [['DAX', example], 2, /DAX.*SPX, SPY, QQQ, IWM, NDX, RUT/],
    [['SPX', join(folder.path, 'none.csv')], 2, /^file: expected a readable file, got ".*none\.csv" \(ENOENT\)\.$/m],
    [['SPX'], 2, /missing required argument 'file'/],
    [['SPX', bad], 1, /^lines: expected a title, a date and a heading, got 1/],
    [['NDX', example], 1, /^symbol: expected contracts of NDX, got SPX/],
  ];
  for (const [args, code, says] of cases) {
    await using script = api.ingest(...args);
    expect([args, await script.ended, script.output()]).toEqual([args, code, expect.stringMatching(says)]);
  }
  expect(await visibleChain(api.context, 'SPX', 'anybody', 'own')).toBeNull();
});
