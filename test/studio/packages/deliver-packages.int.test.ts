import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { publish } from '#queues/studio.ts';
import { ownerSecret } from '#src/governance/owners/webhook-secrets.ts';
import { readEvents } from '#src/jobs/ledger/ledger.ts';
import { checkLink } from '#src/providers/assets/asset-links.ts';
import { listAssetsOfJobs } from '#src/providers/assets/assets.ts';
import { readReceipt } from '#src/receipts/receipt-store.ts';
import { sealEnded } from '#src/studio/live/seal-ended.ts';
import { deliverPackage } from '#src/studio/packages/deliver-package.ts';
import { startChild } from '#test/helpers/child.ts';
import { claimsFor } from '#test/helpers/jobs.ts';
import { owner, type Published, publishWorld } from '#test/studio/publish-world.ts';
import { type Answer, answering, believed, openReceiver } from '#test/studio/receiver.ts';

const reset: Answer = (response) => void response.socket?.resetAndDestroy();

async function delivering(...answers: Answer[]) {
  const receiver = await openReceiver(...answers);
  const world = await publishWorld({ CHANNEL_WEBHOOKS: `gumroad=${receiver.origin}/hook?key=hidden` });
  const { film } = await world.film();
  return {
    ...world,
    receiver,
    film,
    [Symbol.asyncDispose]: async () => {
      await world[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

test('the receiver is notified of an approved package, signed, with a link that leads to it', async () => {
  await using world = await delivering(answering(200));
  const { context, receiver, film } = world;
  await world.fleet();
  const job = await world.start([film], ['gumroad', 'manual_export'], { caption: 'Shoes that run.' });
  const { state, result } = await world.ended(job.id);
  expect(state).toBe('succeeded');
  const { packages, receiptId } = result as Published;
  const [message] = receiver.messages;
  expect(receiver.messages).toHaveLength(1);
  expect(message?.path).toBe('/hook?key=hidden');
  expect(packages).toMatchObject([
    { channel: 'gumroad', status: 'delivered', externalId: message?.id },
    { channel: 'manual_export', status: 'exported', externalId: null },
  ]);
  if (!message) return;
  expect(Buffer.byteLength(message.raw)).toBeLessThan(20_000);
  const secret = await ownerSecret(context, owner);
  const other = await ownerSecret(context, 'grace');
  expect(() => believed(message, other)).toThrow('the signature is wrong');
  expect(() => believed({ ...message, raw: `${message.raw} ` }, secret)).toThrow('wrong');
  const told = believed(message, secret);
  const { asset, manifest } = await world.opened(packages[0]?.asset.id ?? '');
  const { caption, ...rest } = manifest;
  const { id, sha256, size } = asset;
  expect(told).toMatchObject({
    type: 'package.ready',
    data: { channel: 'gumroad', package: { id, sha256, size }, manifest: rest, caption },
  });
  const link = new URL(told.data.package.url);
  const expires = Number(link.searchParams.get('expires'));
  expect(link.pathname).toBe(`/v1/artefacts/${sha256}`);
  expect(told.data.package.expiresAt).toBe(new Date(expires * 1_000).toISOString());
  const signature = link.searchParams.get('signature') ?? '';
  expect(checkLink(context.config, { sha256, id }, { expires, signature })).toBe('valid');
  const receipt = await readReceipt(context, receiptId);
  expect(receipt?.events.filter(({ type }) => type === 'package.delivered')).toMatchObject([
    { data: { channel: 'gumroad', webhookId: message.id } },
  ]);
  expect(JSON.stringify(receipt)).not.toContain('hidden');
  // endpoints of the owner are notified of it too
  const noted = await context.db.any(sql.unsafe`select type, owner, data ->> 'channel' as channel from notices`);
  expect(noted).toEqual([{ type: 'package.delivered', owner, channel: 'gumroad' }]);
});

test('what is refused for now is sent again, the same under the same webhook-id', async () => {
  await using world = await delivering(answering(503), answering(429), answering(204));
  await world.fleet();
  const job = await world.start([world.film], ['gumroad']);
  expect(await world.ended(job.id)).toMatchObject({ state: 'succeeded' });
  const { messages } = world.receiver;
  expect(new Set(messages.map(({ id }) => id)).size).toBe(1);
  const secret = await ownerSecret(world.context, owner);
  const packages = messages.map((message) => believed(message, secret).data.package.sha256);
  expect(packages).toEqual([packages[0], packages[0], packages[0]]);
  const types = (await readEvents(world.context, job.id, 0, 100)).map(({ type }) => type);
  expect(types.filter((type) => type === 'retrying')).toHaveLength(2);
  const made = await listAssetsOfJobs(world.context, [job.id]);
  expect(made.filter(({ kind }) => kind === 'package')).toHaveLength(1);
});

test('error: a delivery that is refused for good is not sent again, and the package is stored', async () => {
  await using world = await delivering(answering(410));
  await world.fleet();
  const job = await world.start([world.film], ['gumroad']);
  expect(await world.ended(job.id)).toMatchObject({
    state: 'failed',
    error: { code: 'provider_refused', details: { status: 410 } },
  });
  expect(world.receiver.messages).toHaveLength(1);
  expect((await listAssetsOfJobs(world.context, [job.id])).map(({ name }) => name)).toEqual(['package-gumroad']);
});

test('error: a redirect is an answer, and leads nowhere', async () => {
  await using world = await delivering((response) => void response.writeHead(307, { location: '/elsewhere' }).end());
  await world.fleet();
  const job = await world.start([world.film], ['gumroad']);
  expect(await world.ended(job.id)).toMatchObject({ state: 'failed', error: { code: 'provider_refused' } });
  expect(world.receiver.messages.map(({ path }) => path)).toEqual(['/hook?key=hidden']);
});

test('error: after a break in the exchange nothing is sent again', async () => {
  await using world = await delivering(reset);
  await world.fleet();
  const job = await world.start([world.film], ['gumroad']);
  expect(await world.ended(job.id)).toMatchObject({ state: 'failed', error: { code: 'outcome_unknown' } });
  expect(world.receiver.messages).toHaveLength(1);
});

test('error: nor after a receiver that took the message and never answered', async () => {
  await using world = await delivering(() => {});
  const { context, film, receiver } = world;
  const job = await world.start([film], ['gumroad']);
  const worker = randomUUID();
  await context.db.query(sql.unsafe`
    insert into workers (id, fleet, host, pid, beat_at) values (${worker}, 'hand', 'here', 1, now() + interval '1 hour')`);
  const claim = { id: job.id, dispatch: job.dispatch, token: randomUUID() };
  expect(await claimsFor(context, () => worker, false)(claim)).toMatchObject({ id: job.id, attempt: 1 });
  const delivery = {
    job: { id: job.id, owner, attempt: 1 },
    address: new URL(`${receiver.origin}/hook`),
    asset: film,
    manifest: { channel: 'gumroad', caption: '' } as Parameters<typeof deliverPackage>[1]['manifest'],
  };
  const deliver = async () => await deliverPackage(context, delivery, new AbortController().signal, 3_000);
  await expect(deliver()).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('broke off') });
  await expect(deliver()).rejects.toMatchObject({ code: 'outcome_unknown' });
  expect(receiver.messages).toHaveLength(1);
});

test('killed between the message and its outcome: not sent again, and the receipt says that it is not known', async () => {
  const heard = Promise.withResolvers<void>();
  await using world = await delivering(() => heard.resolve());
  const child = await startChild(new URL('../publish-fleet.ts', import.meta.url), world.env);
  const job = await world.start([world.film], ['gumroad']);
  await heard.promise;
  child.kill('SIGKILL');
  await child.exited;
  await world.fleet();
  expect(await world.ended(job.id)).toMatchObject({ state: 'failed', error: { code: 'outcome_unknown' } });
  expect(world.receiver.messages).toHaveLength(1);
  await sealEnded(world.context);
  const receipt = await readReceipt(world.context, job.id);
  expect(receipt?.statement.predicate.outcome).toBe('failed');
  expect(receipt?.events.filter(({ type }) => type.startsWith('package.'))).toMatchObject([
    { type: 'package.unknown', data: { channel: 'gumroad', webhookId: null } },
  ]);
});

test.each([
  ['somewhere else', ['gumroad=https://elsewhere.example/hook'], /https:\/\/elsewhere\.example.*changed/],
  ['nowhere', [], /\(nowhere\).*changed/],
])(
  'error: a package that was approved to go %s is not sent after the settings have changed',
  async (_where, seen, message) => {
    await using world = await delivering(answering(200));
    await world.fleet();
    const job = await world.start([world.film], ['gumroad'], { seen });
    const { state, error } = await world.ended(job.id);
    expect({ state, code: error?.code }).toEqual({ state: 'failed', code: 'state_conflict' });
    expect(error?.message).toMatch(message);
    expect(world.receiver.messages).toEqual([]);
  },
);

test('error: an approval that another job has used lets nothing out', async () => {
  await using world = await delivering(answering(200));
  const job = await world.start([world.film], ['gumroad']);
  await world.context.db.query(sql.unsafe`
    update approvals set job = gen_random_uuid() where id = ${job.approvalId}`);
  await world.fleet();
  expect(await world.ended(job.id)).toMatchObject({ state: 'failed', error: { code: 'invalid_approval' } });
  expect(world.receiver.messages).toEqual([]);
});

test('one receiver that is away keeps nothing from another', async () => {
  await using away = await openReceiver(answering(503));
  await using there = await openReceiver(answering(200));
  const addresses = [`gumroad=${away.origin}/`, `manual_export=${there.origin}/`];
  await using world = await publishWorld({ CHANNEL_WEBHOOKS: addresses.join(',') });
  await world.fleet();
  const { film } = await world.film();
  const job = await world.start([film], ['gumroad', 'manual_export']);
  expect(await world.ended(job.id)).toMatchObject({ state: 'failed', error: { code: 'unavailable' } });
  expect(there.messages).toHaveLength(1);
  expect(away.messages).toHaveLength(publish.attempts);
});
