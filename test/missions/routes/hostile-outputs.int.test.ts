import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSteps } from '#src/governance/missions/mission-store.ts';
import { readOutputs } from '#src/governance/missions/step-contents.ts';
import { missionStream } from '#src/missions/routes/mission-stream.ts';
import { missionWorld } from '#test/missions/world.ts';

const pages: Readonly<Record<string, string>> = {
  '/deep': '['.repeat(150) + ']'.repeat(150),
  '/almost': '['.repeat(97) + ']'.repeat(97),
  '/reference': '{"question":{"$from":"read"}}',
  '/long': JSON.stringify('x'.repeat(600_000)),
  '/longest': JSON.stringify('x'.repeat(1_000_000)),
};

let server: Server;
let origin: string;
let world: Awaited<ReturnType<typeof missionWorld>>;
let headers: Readonly<Record<string, string>>;

beforeAll(async () => {
  server = createServer(({ url = '' }, response) => {
    response.setHeader('content-type', 'application/json').end(pages[url]);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  world = await missionWorld({ FETCH_ORIGINS: origin }, { chain: false });
  headers = await world.humanKey();
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
  server.close();
});

/** How a mission ends that reads a page and then does something with it. */
async function ended(page: string, ...then: readonly object[]) {
  const steps = [{ id: 'read', capability: 'http.fetch', input: { url: origin + page } }, ...then];
  const { body } = await world.call('POST', '/api/v1/missions', headers, { goal: 'read it', steps });
  const { missionId } = body;
  await world.call('POST', `/api/v1/missions/${missionId}/execute`, { ...headers, prefer: 'respond-async' }, {});
  await world.until(missionId, headers, 'receipt.sealed');
  return (await world.call('GET', `/api/v1/missions/${missionId}`, headers)).body;
}

const content = { $from: 'read', path: 'content' };

test('an answer that cannot be hashed fails its step', async () => {
  expect(await ended('/deep')).toMatchObject({
    state: 'failed',
    error: { code: 'invalid_result' },
    steps: [{ state: 'failed' }],
  });
});

test('an input that cannot be hashed once it is put together fails its step', async () => {
  const digest = { id: 'digest', capability: 'content.digest', input: { value: [[[[content]]]] } };
  expect(await ended('/almost', digest)).toMatchObject({
    state: 'failed',
    error: { code: 'invalid_payload' },
    steps: [{ state: 'succeeded' }, { state: 'failed', jobId: null }],
  });
});

test('an answer that looks like a reference is checked like any other', async () => {
  const question = { $from: 'read', path: 'content.question' };
  const asked = { id: 'asked', capability: 'analytics.oracle', input: { question, symbol: 'SPX' } };
  expect(await ended('/reference', asked)).toMatchObject({
    state: 'failed',
    error: { code: 'invalid_payload', message: 'asked: input/question must be string.' },
    steps: [{ state: 'succeeded' }, { state: 'failed', jobId: null }],
  });
});

test('an answer in a thousand places is too long, and is not written out to see that', async () => {
  const value = Array.from({ length: 2_000 }, () => content);
  const digest = { id: 'digest', capability: 'content.digest', input: { value } };
  expect(await ended('/long', digest)).toMatchObject({
    state: 'failed',
    error: { code: 'invalid_payload' },
    steps: [{ state: 'succeeded' }, { state: 'failed', jobId: null }],
  });
});

test('what the steps of a mission give is bounded in all, with what to do about it', async () => {
  const more = Array.from({ length: 16 }, (_, n) => ({
    id: `more${n}`,
    capability: 'http.fetch',
    input: { url: `${origin}/longest` },
  }));
  const { state, error, steps } = await ended('/longest', ...more);
  expect({ state, code: error.code }).toEqual({ state: 'failed', code: 'payload_too_large' });
  expect(error.message).toMatch(/at most 16000000 characters in all.*split the goal over several missions/);
  const held = steps.reduce((sum: number, { output }: { output: unknown }) => sum + JSON.stringify(output).length, 0);
  expect(held).toBeLessThan(16_100_000);
});

test('what steps took and gave is read where it is wanted, and not to see where they stand', async () => {
  const { context } = world;
  const again = { id: 'again', capability: 'content.digest', input: { value: content } };
  const { missionId, steps } = await ended('/almost', again);
  expect(steps).toMatchObject([{ output: { status: 200 } }, { input: { value: expect.any(Array) } }]);
  for (const step of await readSteps(context, missionId)) {
    expect(step).not.toHaveProperty('input');
    expect(step).not.toHaveProperty('output');
  }
  expect(await readOutputs(context, missionId, ['read'])).toEqual({ read: steps[0].output });
  const snapshot = await missionStream(context, missionId).snapshot();
  const { steps: told } = snapshot!.data as { steps: readonly object[] };
  expect(told).toMatchObject([{ id: 'read', state: 'succeeded' }, { id: 'again' }]);
  for (const step of told) {
    expect(step).not.toHaveProperty('input');
    expect(step).not.toHaveProperty('output');
  }
});

test('a request of any depth is refused with a sentence', async () => {
  const text = '['.repeat(50_000) + ']'.repeat(50_000);
  for (const more of [
    `"inputs":{"a":${text}}`,
    `"steps":[{"id":"a","capability":"content.digest","input":{"value":${text}}}]`,
  ]) {
    const response = await fetch(`${world.url}/api/v1/missions`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: `{"goal":"digest it",${more}}`,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: 'invalid_request',
      detail: expect.stringContaining('100 levels'),
    });
  }
});
