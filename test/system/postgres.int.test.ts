import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { loadConfig } from '#src/system/config.ts';
import { openPostgres } from '#src/system/postgres.ts';

const configFor = (port: number) =>
  loadConfig({
    DATABASE_URL: `postgresql://someone:secret@127.0.0.1:${port}/here`,
    REDIS_URL: 'redis://127.0.0.1:1',
    KEY_PEPPER: 'a pepper for tests that is long enough',
  });

/** What a server before version 17 answers to a session that asks for transaction_timeout. */
function refusal(): Buffer {
  const fields = ['SFATAL', 'VFATAL', 'C42704', 'Munrecognized configuration parameter "transaction_timeout"', ''];
  const body = Buffer.from(`${fields.join('\0')}\0`);
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from('E'), length, body]);
}

test('a server that is too old is refused at the start, in one sentence', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(refusal()));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await expect(openPostgres(configFor(port), 'test', () => {})).rejects.toMatchObject({
    code: 'invalid_configuration',
    message: expect.stringContaining('expected Postgres 17 or newer'),
  });
  server.close();
});
