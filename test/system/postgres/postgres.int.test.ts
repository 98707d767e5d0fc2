import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { loadConfig } from '#src/system/config/config.ts';
import { openPostgres } from '#src/system/postgres/postgres.ts';
import { watchPostgres } from '#src/system/postgres/postgres-watch.ts';

const configFor = (port: number) =>
  loadConfig({
    DATABASE_URL: `postgresql://someone:secret@127.0.0.1:${port}/here`,
    REDIS_URL: 'redis://127.0.0.1:1',
    KEY_PEPPER: 'a pepper for tests that is long enough',
  });

/** What a server before version 17 answers to a session that asks for transaction_timeout. */
function refusal(code: string, message: string): Buffer {
  const fields = ['SFATAL', 'VFATAL', `C${code}`, `M${message}`, ''];
  const body = Buffer.from(`${fields.join('\0')}\0`);
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from('E'), length, body]);
}

test.each([
  ['42704', 'unrecognized configuration parameter "transaction_timeout"', 'expected Postgres 17 or newer'],
  ['08P01', 'unsupported startup parameter: statement_timeout', 'set DATABASE_DIRECT_URL to the database itself'],
  ['08P01', 'unsupported startup parameter in options: transaction_timeout', 'looks like a pooler'],
])('a server that refuses with %s, %s, is refused at the start in one sentence', async (code, message, sentence) => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(refusal(code, message)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  using watch = watchPostgres(pino({ level: 'silent' }), configFor(port).DATABASE_URL);
  await expect(openPostgres(configFor(port), 'test', () => {}, watch)).rejects.toMatchObject({
    code: 'invalid_configuration',
    message: expect.stringContaining(sentence),
  });
  server.close();
});
