import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { privateKeyToAddress } from 'viem/accounts';
import { expect, test } from 'vitest';
import { startAnvil } from '#src/system/embedded/anvil.ts';
import { runScript, runs, testFolder, until } from '#test/helpers/processes.ts';
import { chainClient } from '#test/helpers/servers/anvil.ts';

const starter = (home: string, outlives = false) => `
  import { startAnvil } from '#src/system/embedded/anvil.ts';
  const { url, pid, key } = await startAnvil(${JSON.stringify(home)}, () => {}, { outlives: ${outlives} });
  console.log(JSON.stringify({ url, pid, key }));
  setInterval(() => {}, 1000);
`;

interface Started {
  readonly pid: number;
}

async function started(home: string) {
  const anvil = await startAnvil(home);
  if (!anvil) throw new Error('expected an anvil');
  return { anvil, client: chainClient(anvil.url, anvil.key) };
}

test('it mines in time until a transaction is final; blocks, address and funded account are kept', async () => {
  using folder = testFolder();
  const { anvil, client } = await started(folder.path);
  expect(anvil.chain).toBe('eip155:31337');
  expect(await client.getBalance({ address: privateKeyToAddress(anvil.key) })).toBeGreaterThan(10n ** 21n);
  const hash = await client.sendTransaction({ to: client.account.address, data: '0xabcd' });
  const { blockNumber } = await client.waitForTransactionReceipt({ hash });
  await until(async () => (await client.getBlock({ blockTag: 'finalized' })).number >= blockNumber);
  await anvil.stop();
  expect(runs(anvil.pid)).toBe(false);
  expect(statSync(join(folder.path, 'secrets/anchor-key')).mode & 0o777).toBe(0o600);

  const again = await started(folder.path);
  expect(again.anvil.url).toBe(anvil.url);
  expect(again.anvil.key).toBe(anvil.key);
  expect((await again.client.getTransaction({ hash })).blockNumber).toBe(blockNumber);
  await again.anvil.stop();
});

test('it ends when the process that started it is killed with -9', async () => {
  using folder = testFolder();
  await using script = runScript(starter(folder.path));
  const [line] = await script.printed(/^\{.*\}$/m);
  const { pid }: Started = JSON.parse(line);
  script.child.kill('SIGKILL');
  await script.ended;
  await until(() => !runs(pid));
  expect(runs(pid)).toBe(false);
});

test('one that was left behind is ended by the next start on its home', async () => {
  using folder = testFolder();
  await using script = runScript(starter(folder.path, true));
  const [line] = await script.printed(/^\{.*\}$/m);
  const { pid }: Started = JSON.parse(line);
  script.child.kill('SIGKILL');
  await script.ended;
  expect(runs(pid)).toBe(true);
  const { anvil } = await started(folder.path);
  expect(runs(pid)).toBe(false);
  await anvil.stop();
});

test('a state that cannot be read is put aside, and said', async () => {
  using folder = testFolder();
  const { anvil } = await started(folder.path);
  await anvil.stop();
  writeFileSync(join(folder.path, 'anvil/state.json'), '{"block": {"numb');
  const said: string[] = [];
  const second = await startAnvil(folder.path, (line) => said.push(line));
  expect(said).toEqual([expect.stringContaining('begins anew')]);
  expect(readdirSync(join(folder.path, 'anvil'))).toContain('state.json.unreadable');
  await second?.stop();
});
