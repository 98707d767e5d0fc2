import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changeMission } from '#src/governance/missions/change-mission.ts';
import { readMission } from '#src/governance/missions/mission-store.ts';
import { CircuitOpen } from '#src/lib/async/breaker.ts';
import { advanceMission } from '#src/missions/run/advance.ts';
import { conduct } from '#src/missions/run/conduct.ts';
import { startConductor } from '#src/missions/run/conductor.ts';
import { sealMission } from '#src/missions/run/seal-mission.ts';
import { testFolder } from '#test/helpers/processes.ts';
import { missionWorld } from '#test/missions/world.ts';
import { breaks, hangs, signerServer, signs, signsAsAnother } from '#test/receipts/signer-server.ts';

test('while the signer is down, slow or wrong missions stay sealing; they are sealed when it is back', async () => {
  using folder = testFolder();
  const file = join(folder.path, 'seal-key.json');
  await using signer = await signerServer(1);
  await using world = await missionWorld(
    {
      SEAL_KEY_FILE: file,
      SEAL_SIGNER_URL: signer.url,
      SEAL_SIGNER_TOKEN: 'token-of-the-signer',
      SEAL_SIGNER_PUBLIC_KEY: signer.keys[0]!.publicKey,
      SEAL_SIGNER_TIMEOUT_MS: '500',
    },
    { chain: false },
  );
  const headers = await world.humanKey();
  const path = '/api/v1/missions';
  // the first one before there is a manifest, the others after
  for (const fault of [breaks, hangs, signsAsAnother]) {
    signer.answersWith(fault);
    const { body } = await world.call('POST', path, headers, { goal: 'Hash "hello"' });
    const asked = signer.askedAgain(2);
    await world.call('POST', `${path}/${body.missionId}/execute`, { ...headers, prefer: 'respond-async' }, {});
    await asked;
    expect((await world.call('GET', `${path}/${body.missionId}`, headers)).body.state).toBe('sealing');
    expect((await world.call('GET', `/api/v1/receipts/${body.missionId}`)).status).toBe(404);
    signer.answersWith(signs);
    await world.until(body.missionId, headers, 'receipt.sealed');
    const { body: receipt } = await world.call('GET', `/api/v1/receipts/${body.missionId}`);
    expect(receipt).toMatchObject({
      seal: { kid: signer.keys[0]?.kid },
      attestation: { integrity: { verdict: 'pass' }, authenticity: { verdict: 'pass' } },
    });
  }
  expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')))).toEqual(['manifest']);
});

test('a signer that hangs is left alone, and what waits for it blocks no other; all are sealed once it answers', async () => {
  using folder = testFolder();
  await using signer = await signerServer(1);
  await using world = await missionWorld(
    {
      SEAL_KEY_FILE: join(folder.path, 'seal-key.json'),
      SEAL_SIGNER_URL: signer.url,
      SEAL_SIGNER_TOKEN: 'token-of-the-signer',
      SEAL_SIGNER_PUBLIC_KEY: signer.keys[0]!.publicKey,
      SEAL_SIGNER_TIMEOUT_MS: '2000',
    },
    { chain: false, conducted: false },
  );
  const { context } = world;
  const headers = await world.humanKey();
  const prefer = { ...headers, prefer: 'respond-async' };
  /** A mission that has done all but its seal. */
  const sealing = async () => {
    const { body } = await world.call('POST', '/api/v1/missions', headers, { goal: 'Hash "hello"' });
    const id: string = body.missionId;
    await world.call('POST', `/api/v1/missions/${id}/execute`, prefer, {});
    await conduct(context, id);
    while ((await readMission(context, id))?.state !== 'sealing') {
      await changeMission(context, id, (tx, draft) => advanceMission({ context, tx, draft }));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return id;
  };
  // more than are conducted at once
  const ids = await Promise.all(Array.from({ length: 10 }, sealing));
  const errors = async (some: readonly string[]) =>
    await Promise.all(
      some.map(
        async (id) =>
          await sealMission(context, id).then(
            () => null,
            (error: unknown) => error,
          ),
      ),
    );
  signer.answersWith(hangs);
  for (const error of await errors(ids.slice(0, 3)))
    expect(error).toMatchObject({ message: expect.stringContaining('none within 2000 ms') });
  const { length } = signer.asked;
  for (const error of await errors(ids)) expect(error).toBeInstanceOf(CircuitOpen);
  expect(signer.asked.length).toBe(length);

  signer.answersWith(signs);
  startConductor(context);
  await Promise.all(ids.map(async (id) => await world.until(id, headers, 'receipt.sealed')));
});
