import { mkdtempDisposable, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { scratch } from '#test/helpers/scratch.ts';
import { type RemoteApi, remoteApi } from '#test/http/workers/remote.ts';

/** A text of so many bytes of JSON, its quotation marks among them. */
export const textOf = (bytes: number, letter = 'a'): string => letter.repeat(bytes - 2);

/** Bytes that no row holds. */
export const LARGE = 300_000;

export const queue = 'acme.read-text';
export const url = `/v1/queues/${queue}/jobs`;
export const late = { prefer: 'respond-async' };

export interface ContentsApi extends RemoteApi {
  readonly folder: string;
  /** Names of the contents in the storage. */
  readonly stored: () => Promise<readonly string[]>;
  readonly submitText: (payload: string, more?: object) => Promise<string>;
}

/** An API with a folder of contents of its own, and a queue whose payloads and results are texts. */
export async function contentsApi(settings: Readonly<Record<string, string>> = {}): Promise<ContentsApi> {
  await using stack = new AsyncDisposableStack();
  const { path: folder } = stack.use(await mkdtempDisposable(join(scratch, 'contents-')));
  const api = stack.use(await remoteApi({ ARTEFACTS_FOLDER: folder, ...settings }));
  const contract = { title: 'Read a text', payload: { type: 'string' }, result: { type: 'string' }, attempts: 3 };
  expect((await api.call('PUT', `/v1/queues/${queue}`, { contract })).statusCode).toBe(201);
  const all = stack.move();
  return {
    ...api,
    folder,
    stored: async () => {
      const files = await readdir(folder, { recursive: true, withFileTypes: true });
      return files.filter((file) => file.isFile()).map(({ name }) => name);
    },
    submitText: async (payload, more = {}) => {
      const answer = await api.call('POST', url, { payload }, { ...late, ...more });
      expect([answer.statusCode, answer.body.slice(0, 500)]).toEqual([202, expect.anything()]);
      return answer.json().id;
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
