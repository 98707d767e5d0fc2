import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { toFile } from 'openai';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { forgetFiles } from '#src/platform/files/file-retention.ts';
import { platformWorld } from '#test/platform/platform-client.ts';
import { contentsOf, keep } from '#test/providers/asset-world.ts';

const line = `${JSON.stringify({ custom_id: 'a', body: {} })}\n`;
const jsonl = async (text = line, name = 'lines.jsonl') => await toFile(Buffer.from(text), name);
const never = new AbortController().signal;

test('OpenAI’s client brings, lists, reads, fetches and forgets files', async () => {
  await using world = await platformWorld();
  const client = await world.client();
  const file = await client.files.create({
    file: await jsonl(),
    purpose: 'batch',
    expires_after: { anchor: 'created_at', seconds: 3_600 },
  });
  expect(file).toMatchObject({ object: 'file', bytes: line.length, filename: 'lines.jsonl', purpose: 'batch' });
  expect(file.id).toMatch(/^file-[0-9a-f]{32}$/);
  expect(file.expires_at! - file.created_at).toBe(3_600);
  const picture = await client.files.create({ file: await jsonl('x', 'x.png'), purpose: 'vision' });
  expect(await client.files.retrieve(file.id)).toEqual(file);
  // the client follows the pages by itself
  const all = await Array.fromAsync(await client.files.list({ limit: 1 }));
  expect(all.map(({ id }) => id)).toEqual([picture.id, file.id]);
  expect((await client.files.list({ purpose: 'vision' })).data).toEqual([picture]);
  expect((await client.files.list({ order: 'asc', limit: 1 })).data).toEqual([file]);
  const content = await client.files.content(file.id);
  expect(await content.text()).toBe(line);
  expect(content.headers.get('content-disposition')).toBe('attachment; filename="lines.jsonl"');
  expect(await client.files.delete(file.id)).toEqual({ id: file.id, object: 'file', deleted: true });
  await expect(client.files.retrieve(file.id)).rejects.toMatchObject({ status: 404, code: 'not_found' });
});

test('a part of a file is answered alone', async () => {
  await using world = await platformWorld();
  const client = await world.client();
  const { id } = await client.files.create({ file: await jsonl('0123456789'), purpose: 'user_data' });
  const part = await client.files.content(id, { headers: { range: 'bytes=2-4' } });
  expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 2-4/10', '234']);
});

test('error: no other owner sees a file, lists it, fetches it or deletes it', async () => {
  await using world = await platformWorld();
  const client = await world.client();
  const stranger = await world.client('owner-2');
  const { id } = await client.files.create({ file: await jsonl(), purpose: 'batch' });
  expect((await stranger.files.list()).data).toEqual([]);
  for (const call of ['retrieve', 'content', 'delete'] as const) {
    await expect(stranger.files[call](id)).rejects.toMatchObject({ status: 404 });
  }
  await expect(client.files.retrieve('file-nonsense')).rejects.toMatchObject({ status: 404 });
  expect((await client.files.list()).data).toHaveLength(1);
});

test('error: a form with another purpose, field or shape leaves nothing behind', async () => {
  await using world = await platformWorld();
  const { headers } = await world.api.key();
  const send = async (fields: Record<string, string | Blob>, more: Record<string, string> = {}) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    const answer = await fetch(`${world.url}/files`, { method: 'POST', headers: { ...headers, ...more }, body });
    const { code, error } = (await answer.json()) as { code: string; error: { param: string | null } };
    return [answer.status, code, error.param];
  };
  const file = new Blob([line]);
  expect(await send({ file, purpose: 'nothing' })).toEqual([400, 'invalid_request', 'purpose']);
  expect(await send({ file })).toEqual([400, 'invalid_request', 'purpose']);
  expect(await send({ purpose: 'batch' })).toEqual([400, 'invalid_request', 'file']);
  expect(await send({ other: file, purpose: 'batch' })).toEqual([400, 'invalid_request', null]);
  expect(await send({ file, purpose: 'batch', extra: '1' })).toEqual([400, 'invalid_request', 'extra']);
  expect(await send({ file, purpose: 'batch', 'expires_after[seconds]': '1' })).toMatchObject([
    400,
    'invalid_request',
    'expires_after[seconds]',
  ]);
  expect(await send({ file, purpose: 'x'.repeat(2_000) })).toEqual([400, 'invalid_request', 'purpose']);
  expect(await send({ file, file2: file, purpose: 'batch' })).toEqual([400, 'malformed_body', null]);
  expect(await send({ file, purpose: 'batch' }, { 'content-type': 'multipart/form-data; boundary=no' })).toEqual([
    400,
    'malformed_body',
    null,
  ]);
  const json = await fetch(`${world.url}/files`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{}',
  });
  expect(json.status).toBe(415);
  expect(await contentsOf(world.home)).toEqual([]);
});

test('error: a file above the limit is refused while it is read, and nothing of it is stored', async () => {
  await using world = await platformWorld({ FILE_LIMIT_BYTES: '65536' });
  const client = await world.client();
  const large = await toFile(randomBytes(4 * 1_048_576), 'large.bin');
  await expect(client.files.create({ file: large, purpose: 'user_data' })).rejects.toMatchObject({
    status: 413,
    code: 'payload_too_large',
  });
  // one that never ends is answered before its end
  const { headers } = await world.api.key();
  const asked = httpRequest(`${world.url}/files`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'multipart/form-data; boundary=b' },
  });
  asked.once('error', () => {});
  asked.write('--b\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\n');
  asked.write(randomBytes(131_072));
  const [answer] = await once(asked, 'response');
  expect(answer.statusCode).toBe(413);
  asked.destroy();
  expect(await contentsOf(world.home)).toEqual([]);
  expect((await client.files.list()).data).toEqual([]);
});

test('a content is stored as long as it is needed: by another file, another owner, or an asset', async () => {
  await using world = await platformWorld();
  const [mine, theirs] = [await world.client(), await world.client('owner-2')];
  const create = async (client: typeof mine) => await client.files.create({ file: await jsonl(), purpose: 'batch' });
  const [first, second] = [await create(mine), await create(theirs)];
  expect(await contentsOf(world.home)).toHaveLength(1);
  await mine.files.delete(first.id);
  expect(await (await theirs.files.content(second.id)).text()).toBe(line);
  await keep(world.api.context, {
    produced: { kind: 'data', mediaType: 'application/json', bytes: Buffer.from(line) },
  });
  await theirs.files.delete(second.id);
  expect(await contentsOf(world.home)).toHaveLength(1);
});

test('a file that is past its time is gone at once, and its bytes with the next round', async () => {
  await using world = await platformWorld();
  const { context } = world.api;
  const client = await world.client();
  const old = await client.files.create({ file: await jsonl('old'), purpose: 'batch' });
  const young = await client.files.create({ file: await jsonl('young'), purpose: 'batch' });
  const days = context.config.FILE_RETENTION_DAYS;
  expect(young.expires_at! - young.created_at).toBe(days * 86_400);
  await context.db.query(sql.unsafe`update files set expires_at = now() where name = 'lines.jsonl' and size = 3`);
  await expect(client.files.retrieve(old.id)).rejects.toMatchObject({ status: 404 });
  expect(await forgetFiles(context, never)).toBe(1);
  expect(await contentsOf(world.home)).toHaveLength(1);
  expect((await client.files.list()).data).toEqual([young]);
});
