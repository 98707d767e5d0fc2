import { expect, test } from 'vitest';
import { openSocket, socketUrl } from './open-socket.ts';
import { fence, type Handed, type RemoteApi, remoteApi } from './remote.ts';

/** The largest id of 64 bits, which no double holds. */
const ID = '9223372036854775807';
const refusal = (place: string, pointer: string) => ({
  status: 'refused',
  code: 'invalid_request',
  message: `report${place}: expected an integer that a double holds exactly, got ${ID}, which would become 9223372036854776000: send it as text.`,
  path: pointer,
});

/** The text of a list of reports, with the id where `ID` stands: JSON.stringify cannot write it. */
const listOf = (job: Handed): string =>
  JSON.stringify([
    { ...fence(job), type: 'step', name: 'a', after: 0, value: { rows: [1, 'ID'] } },
    { ...fence(job), type: 'step', name: 'b', after: 0, value: 1 },
    { ...fence(job), type: 'progress', data: 'ID' },
    { ...fence(job), type: 'submit', name: 'c', after: 1, queue: 'acme.resize-image', payload: { 'w/d': 'ID' } },
    { ...fence(job), type: 'effect_intended', name: 'd', request: { to: 'ID' } },
    { ...fence(job), type: 'succeeded', result: { bytes: 'ID' } },
    { ...fence(job), type: 'log', level: 'info', message: 'as text', data: { id: ID } },
  ]).replaceAll('"ID"', ID);

const answers = [
  refusal('.value.rows[1]', '/value/rows/1'),
  { status: 'accepted', value: 1 },
  refusal('.data', '/data'),
  refusal('.payload.w/d', '/payload/w~1d'),
  refusal('.request.to', '/request/to'),
  refusal('.result.bytes', '/result/bytes'),
  { status: 'accepted' },
];

/** A worker with a job in hand. */
async function handed(api: RemoteApi) {
  const worker = await api.worker();
  await api.submit(1);
  const [job] = await worker.take();
  return { worker, job: job! };
}

test('error: an integer that would be changed refuses its report over HTTP, and none beside it', async () => {
  await using api = await remoteApi();
  const { worker, job } = await handed(api);
  const url = `/v1/workers/${worker.worker}/report`;
  const text = `{"reports":${listOf(job)}}`;
  const answer = await api.call('POST', url, text, { 'content-type': 'application/json' });
  expect(answer.json()).toEqual({ answers });
  expect(await api.job(job.id)).toMatchObject({ state: 'running' });
  // the attempt goes on, and ends with what a double holds
  expect(await worker.report({ ...fence(job), type: 'succeeded', result: { bytes: 7 } })).toEqual([
    { status: 'accepted' },
  ]);
});

test('error: and over a socket', async () => {
  await using api = await remoteApi();
  const { worker, job } = await handed(api);
  const { headers } = await api.key({ scopes: ['jobs.work'] });
  using socket = await openSocket(await socketUrl(api), headers);
  const text = `{"id":7,"type":"report","worker":"${worker.worker}","reports":${listOf(job)}}`;
  expect(await socket.send(7, text)).toEqual({ id: 7, status: 200, body: { answers } });
  expect(await api.job(job.id)).toMatchObject({ state: 'running' });
});
