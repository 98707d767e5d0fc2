import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand, type Script, testFolder } from '#test/helpers/processes.ts';
import { type OpenApi, openApi } from '#test/packages/open-api.ts';
import { fromSource } from '#test/packages/readme-files.ts';
import type { kinds } from './jobs.ts';

type Kind = keyof typeof kinds;

export interface BesideWorld extends OpenApi {
  /** Starts a worker beside the database, and waits until it takes jobs. */
  readonly beside: (kind: Kind, settings?: Readonly<Record<string, string>>) => Promise<Script>;
  /** Starts a worker elsewhere, and waits until it is registered. */
  readonly elsewhere: (kind: Kind) => Promise<Script>;
  /** A worker beside the database that is not waited for. */
  readonly start: (kind: Kind, settings?: Readonly<Record<string, string>>) => Script;
  /** Lines that jobs have left, in order; those that begin with a word. */
  readonly notes: (word?: string) => readonly string[];
  /** Lets jobs go on that wait for the test. */
  readonly go: () => void;
}

/** An API with the namespace `acme` of owner-1, and programs that work for it. */
export async function besideWorld(settings: Readonly<Record<string, string>> = {}): Promise<BesideWorld> {
  await using stack = new AsyncDisposableStack();
  const open = stack.use(await openApi({ LEASE_MS: '3000', ...settings }));
  const folder = stack.use(testFolder());
  const file = join(folder.path, 'notes');
  writeFileSync(file, '');
  const contract = { title: 'Takes the namespace', payload: true, result: true };
  await open.client.call('PUT', '/v1/queues/acme.take-namespace', { body: { contract } });
  const all = stack.move();
  const run = (program: string, kind: Kind, env: Readonly<Record<string, string>>) =>
    all.use(runCommand(process.execPath, [...fromSource, join(import.meta.dirname, program), kind], env));
  const start: BesideWorld['start'] = (kind, more = {}) =>
    run('beside.ts', kind, { ...open.env, LOG_LEVEL: 'info', NOTES: file, ...more });
  return {
    ...open,
    start,
    beside: async (kind, more) => {
      const worker = start(kind, more);
      await worker.printed(/the fleet is ready/);
      return worker;
    },
    elsewhere: async (kind) => {
      const worker = run('elsewhere.ts', kind, { PROOFLINE_URL: open.url, PROOFLINE_KEY: open.key, NOTES: file });
      await worker.printed(/info registered/);
      return worker;
    },
    go: () => writeFileSync(`${file}.go`, ''),
    notes: (word = '') =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith(word === '' ? '' : `${word} `)),
    [Symbol.asyncDispose]: async () => await all.disposeAsync(),
  };
}
