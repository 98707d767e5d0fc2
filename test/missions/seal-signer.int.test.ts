import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '#test/helpers/processes.ts';
import { breaks, hangs, signerServer, signs, signsAsAnother } from '#test/receipts/signer-server.ts';
import { missionWorld } from './world.ts';

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
