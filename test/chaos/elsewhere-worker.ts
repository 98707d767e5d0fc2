import { defineJob, serve } from '@proofline/worker';

/** A worker of the chaos test: the same story as that of its twin in Python, so that a job may go on at either. */
const elsewhere = defineJob({
  name: 'chaos.elsewhere',
  payload: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false },
  result: {},
  attempts: 1000,
  backoff: '50ms',
  timeout: '20s',
  run: async ({ payload: { n }, step, effect, sleep }) => {
    const doubled = await step('double', () => n * 2);
    const sent = await effect('send', { n }, ({ key }) => send(key), { kind: 'idempotent' });
    await sleep('rest', 200);
    const last = await step('add', () => doubled + 1);
    return { sum: last, sent };
  },
});

/** Calls the provider, which takes keys; it refuses some calls, and loses the answers to others. */
async function send(key: string): Promise<string> {
  const answer = await fetch(process.env['CHAOS_PROVIDER_URL'] ?? '', {
    method: 'POST',
    body: JSON.stringify({ key, kind: 'idempotent' }),
    signal: AbortSignal.timeout(10_000),
  });
  if (!answer.ok) throw new Error(`expected that it is made, got ${answer.status}`);
  return ((await answer.json()) as { id: string }).id;
}

process.stdout.write('ready\n');
// failures of the provider are what this is about
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
await serve([elsewhere], { capacity: 8, log: quiet });
