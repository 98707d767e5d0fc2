import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, openClient } from '#src/commands/client/api-client.ts';
import { readIdentity } from '#src/commands/client/identity-file.ts';
import { signInAs } from '#src/commands/client/person-client.ts';
import { showStudio } from '#src/commands/demo/demo-studio.ts';
import { identityFile } from '#src/commands/start/development-human.ts';
import type { System } from '#src/commands/start/system.ts';

/** A provider of text that gives every caller the same answer, and its entry in the catalogue of providers. */
export async function startTextProvider(): Promise<AsyncDisposable & { readonly entry: object }> {
  const answer = JSON.stringify({
    id: 'one',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: 'A lighthouse.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 12, completion_tokens: 4, total_tokens: 16 },
  });
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const price = { perMillionInput: 1, perMillionOutput: 2 };
  return {
    entry: {
      id: 'proof',
      title: 'A provider of the proof',
      style: 'openai-compatible',
      url: `http://127.0.0.1:${port}`,
      capabilities: { 'text.generate': { model: 'proof-1', price, latency: { base: 1 }, quality: 0.5 } },
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Call = (client: Client) => Promise<unknown>;

/** Requests that callers repeat; one of each runs at a time. */
const repeated: Readonly<Record<string, Call>> = {
  stress: ({ call }) => call('POST', '/v1/portfolio/stress', { symbols: ['SPX', 'SPY'] }),
  question: ({ call }) => call('POST', '/v1/oracle/query', { question: 'Where is the gamma flip of SPX?' }),
  reads: async ({ call }) => {
    for (const path of ['/v1/gex/SPX', '/v1/regime/QQQ', '/v1/jobs?limit=5', '/v1/health']) await call('GET', path);
  },
  text: ({ call }) =>
    call('POST', '/api/v2/chat/completions', {
      messages: [{ role: 'user', content: 'What is at the end of the pier?' }],
    }),
  picture: ({ call }) => call('POST', '/api/v2/images/generate', { prompt: 'A lighthouse at dawn' }),
  mission: async ({ call }) => {
    const { missionId } = await call<{ missionId: string }>('POST', '/api/v1/missions', {
      goal: 'Take a snapshot of SPX, then hash it',
    });
    await call('POST', `/api/v1/missions/${missionId}/execute`);
  },
};

/** Milliseconds between one and the next of the same kind; of what keeps a machine busy for long there are fewer. */
const pauses: Readonly<Record<string, number>> = { film: 60_000, batch: 30_000 };
const PAUSE = 200;

/**
 * Uses every surface of a system until `signal` is aborted: analyses, questions, text, pictures, missions, a film, a
 * batch and a stream. Answers how often each was done; refused ones are reported and requested again.
 */
export async function load(
  { ready, home }: System,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<Readonly<Record<string, number>>> {
  const client = openClient(ready.url, ready.keys.human ?? ready.keys.admin, signal);
  const done: Record<string, number> = {};
  const again = async (name: string, work: Call) => {
    while (!signal.aborted) {
      const isDone = await work(client).then(
        () => true,
        (error: unknown) => {
          if (!signal.aborted) say(`${name}: ${String(error).slice(0, 300)}`);
          return false;
        },
      );
      if (isDone) done[name] = (done[name] ?? 0) + 1;
      await sleep(isDone ? (pauses[name] ?? PAUSE) : 2_000, undefined, { signal }).catch(() => {});
    }
  };
  const person = ready.servers.identity?.person;
  const film: Call = async () => {
    if (!person) throw new Error('expected a person who can sign in, got none');
    const identity = ready.keys.human === null ? null : readIdentity(identityFile(home));
    const studio = openClient(ready.url, ready.keys.studio, signal);
    await showStudio(
      studio,
      { person: await signInAs(ready.url, person), url: ready.url, identity },
      () => {},
      undefined,
    );
  };
  const follow: Call = async ({ follow: events }) => {
    for await (const _event of events('/v1/stream/SPX')) if (signal.aborted) return;
  };
  const all = { ...repeated, film, batch: async () => await sendBatch(ready.url, ready.keys.admin, signal), follow };
  await Promise.all(Object.entries(all).map(([name, work]) => again(name, work)));
  return done;
}

/** Three pictures as one file of requests. */
async function sendBatch(url: string, key: string, signal: AbortSignal): Promise<void> {
  const lines = ['one', 'two', 'three'].map((id) =>
    JSON.stringify({ custom_id: id, method: 'POST', url: '/v1/images/generations', body: { prompt: id } }),
  );
  const form = new FormData();
  form.set('purpose', 'batch');
  form.set('file', new Blob([lines.join('\n')], { type: 'application/jsonl' }), 'requests.jsonl');
  const headers = { 'x-api-key': key };
  const sent = await fetch(`${url}/api/v2/files`, { method: 'POST', headers, body: form, signal });
  if (!sent.ok) throw new Error(`the file was answered with ${sent.status}: ${await sent.text()}`);
  const { id } = (await sent.json()) as { id: string };
  const made = await fetch(`${url}/api/v2/batches`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ input_file_id: id, endpoint: '/v1/images/generations', completion_window: '24h' }),
    signal,
  });
  if (!made.ok) throw new Error(`the batch was answered with ${made.status}: ${await made.text()}`);
  await made.body?.cancel();
}
