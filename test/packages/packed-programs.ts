/** Code of somebody who has the tarballs and JavaScript alone. */
export const script = `
import { createClient, JobFailed } from '@proofline/client';
import { defineJob, serve } from '@proofline/worker';
import { harness } from '@proofline/worker/testing';
import { openStory } from '@proofline/worker/story';

const client = createClient({ url: process.env.API_URL, key: 'sk-1' });
const job = await client.submit('acme.echo', { n: 1 });
const types = [];
for await (const { type } of job.events()) types.push(type);
const echo = defineJob({ name: 'acme.echo', payload: true, run: async ({ payload, sleep }) => (await sleep('a', '1h'), payload) });
const run = await harness(echo, { n: 2 });
await run.advance('1h');
const stop = new AbortController();
const plain = defineJob({ name: 'acme.plain', payload: true, run: ({ payload }) => (stop.abort(), payload) });
const quiet = { debug() {}, info() {}, warn() {}, error() {} };
await serve([plain], { url: process.env.WORKER_URL, key: 'sk-1', signal: stop.signal, log: quiet });
console.log(JSON.stringify([job.id, types, await job.result(), run.state, run.result, typeof openStory, JobFailed.name]));
`;

/** The same in TypeScript, which has to compile with what is packed. */
export const typed = `
import { createClient, type Client, type JobHandle } from '@proofline/client';
import { defineJob, serve, type RunContext } from '@proofline/worker';
import { harness, type Harness } from '@proofline/worker/testing';

const resize = defineJob({
  name: 'acme.resize',
  payload: { type: 'object', properties: { url: { type: 'string' }, width: { type: 'integer' } }, required: ['url'] },
  result: { type: 'object', properties: { bytes: { type: 'number' } }, required: ['bytes'] },
  run: async ({ payload, step }) => ({ bytes: await step('one', () => payload.url.length + (payload.width ?? 0)) }),
});

export async function all(client: Client): Promise<number> {
  const job: JobHandle<{ bytes: number }> = await client.submit(resize, { url: 'x', width: 1 });
  const run: Harness<{ bytes: number }> = await harness(resize, { url: 'x' });
  // @ts-expect-error a width is a number
  await client.submit(resize, { url: 'x', width: '1' });
  // @ts-expect-error the harness takes the same payloads
  await harness(resize, {});
  void serve([resize], { capacity: 2 });
  return (await job.result()).bytes + (run.result?.bytes ?? 0);
}

export const open = (): Client => createClient({ url: 'http://a.example', key: 'k' });
export type Context = RunContext<string>;
`;
