import { expect, test } from 'vitest';
import { homeHolder, takeHome } from '#src/system/embedded/home-lock.ts';
import { runScript, testFolder } from '#test/helpers/processes.ts';

const take = (home: string) => `
  import { takeHome } from '#src/system/embedded/home-lock.ts';
  try {
    await takeHome(${JSON.stringify(home)});
    console.log('taken');
    setInterval(() => {}, 1000);
  } catch (error) {
    console.log(error.message);
  }
`;

test('one process has a home; the next is told which, and may have it afterwards', async () => {
  using folder = testFolder();
  const lock = await takeHome(folder.path);
  expect((await homeHolder(folder.path))?.pid).toBe(process.pid);
  await expect(takeHome(folder.path)).rejects.toThrow(
    `Proofline already runs on ${folder.path} (process ${process.pid}, since 2`,
  );
  await lock[Symbol.asyncDispose]();
  expect(await homeHolder(folder.path)).toBeUndefined();
  await using _ = await takeHome(folder.path);
});

test('of two processes that start at once one has it, and a kill with -9 gives it up', async () => {
  using folder = testFolder();
  await using one = runScript(take(folder.path));
  await using other = runScript(take(folder.path));
  const said = await Promise.all([one.printed(/\S/), other.printed(/\S/)]);
  expect(said.filter(({ input }) => input.startsWith('taken'))).toHaveLength(1);
  expect(said.filter(({ input }) => input.startsWith('Proofline already runs'))).toHaveLength(1);
  one.child.kill('SIGKILL');
  other.child.kill('SIGKILL');
  await Promise.all([one.ended, other.ended]);
  await using _ = await takeHome(folder.path);
});
