import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeTemporaryFolder, removeLeftFolders } from '#src/system/temporary-folders.ts';

let parent: string;
beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), 'left-folders-'));
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

const module = new URL('../../src/system/temporary-folders.ts', import.meta.url).href;

/** A process that makes a folder with a film in it and goes on until it is killed. */
async function maker() {
  const program = `
    import { writeFileSync } from 'node:fs';
    import { makeTemporaryFolder } from ${JSON.stringify(module)};
    const folder = makeTemporaryFolder('media', ${JSON.stringify(parent)});
    writeFileSync(folder + '/film.mp4', 'film');
    console.log(folder);
    setInterval(() => {}, 1_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { folder: String(line).trim(), child };
}

test('the folder of a process that was killed is removed by the next one; that of a living one stays', async () => {
  const { folder, child } = await maker();
  const own = makeTemporaryFolder('media', parent);
  expect(removeLeftFolders(parent)).toEqual([]);
  expect([existsSync(join(folder, 'film.mp4')), existsSync(own)]).toEqual([true, true]);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(removeLeftFolders(parent)).toEqual([folder]);
  expect([existsSync(folder), existsSync(own)]).toEqual([false, true]);
});

test('a process that has the number of a dead one since is not it', () => {
  const own = basename(makeTemporaryFolder('media', parent));
  const [start] = /-\d+-\w{6}$/.exec(own) ?? [];
  const before = join(parent, own.replace(String(start), '-1-abcdef'));
  mkdirSync(before);
  // where the system does not say when a process started, the number alone counts
  expect(removeLeftFolders(parent)).toEqual(start?.startsWith('-0-') ? [] : [before]);
});

test('what another machine made, or an earlier release, goes after a week; what others made stays', () => {
  const week = (Date.now() - 8 * 24 * 3_600_000) / 1_000;
  const made = (name: string, isOld: boolean) => {
    const path = join(parent, name);
    mkdirSync(path);
    if (isOld) utimesSync(path, week, week);
    return path;
  };
  const old = ['proofline-media-00000000-1-1-abcdef', 'proofline-media-AbC123'].map((name) => made(name, true));
  const stay = [
    made('proofline-media-00000000-1-1-abcdeg', false),
    made('proofline-media-AbC124', false),
    made('proofline-notes', true),
    made('other-media-AbC124', true),
  ];
  const file = join(parent, 'proofline-media-AbC125');
  writeFileSync(file, '');
  utimesSync(file, week, week);
  expect(removeLeftFolders(parent).toSorted()).toEqual(old.toSorted());
  expect([...stay, file].filter((path) => !existsSync(path))).toEqual([]);
});

test('a folder that is not there has nothing to remove', () => {
  expect(removeLeftFolders(join(parent, 'nowhere'))).toEqual([]);
});
