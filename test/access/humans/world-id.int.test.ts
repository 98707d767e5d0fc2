import { recoverMessageAddress } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { expect, test } from 'vitest';
import { verifyWorldId } from '#src/access/humans/world-id/world-id.ts';
import { hashSignal } from '#src/access/humans/world-id/world-id-field.ts';
import { signWorldIdRequest } from '#src/access/humans/world-id/world-id-request.ts';
import { openProver } from '#src/commands/client/prover.ts';
import { testApi } from '#test/http/api.ts';
import { person } from './identities.ts';
import { enrolByWorldId, sessionId } from './idkit.ts';
import { type IdkitResult, openPortal, type Portal, say } from './world-id-portal.ts';

const settings = { WORLD_ID_RP_ID: 'rp_test', WORLD_ID_ACTION: 'enrol' };
const signingKey = 'ab'.repeat(32);
const signal = Buffer.from('a challenge');
const nonce = `0x${'0'.repeat(62)}2a`;
const signalHash = `0x${hashSignal(signal).toString(16)}`;

const item = {
  identifier: 'proof_of_human',
  issuer_schema_id: 1,
  signal_hash: signalHash,
  nullifier: '0x0123',
  expires_at_min: 1,
  proof: ['0x1', '0x2', '0x3', '0x4', '0x5'],
};
const result: IdkitResult = {
  protocol_version: '4.0',
  nonce: '0x2a',
  action: 'enrol',
  environment: 'production',
  responses: [item],
};

const verify = async (portal: Portal, given: unknown = result) =>
  await verifyWorldId({ ...settings, WORLD_ID_URL: portal.url }, { result: given, signal, nonce });

test('hashes a signal as World does', () => {
  // from worldcoin/idkit js/packages/server/src/__tests__/signing.test.ts
  expect(hashSignal(Buffer.from('')).toString(16)).toBe(
    'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a4',
  );
  expect(hashSignal(Buffer.from('test_signal')).toString(16)).toBe(
    'c1636e0a961a3045054c4d61374422c31a95846b8442f0927ad2ff1d6112ed',
  );
});

test('a request is signed over version, nonce, times and the action, which a session has not, by the key of the relying party', async () => {
  const config = { ...settings, WORLD_ID_SIGNING_KEY: signingKey };
  const asked = { nonce: `0x${'01'.repeat(32)}`, createdAt: 1_700_000_000, expiresAt: 1_700_000_300 };
  const session = `0x01${'01'.repeat(32)}000000006553f100000000006553f22c` as const;
  const action = hashSignal(Buffer.from('enrol')).toString(16).padStart(64, '0');
  const signerOf = async (raw: `0x${string}`, given: Parameters<typeof signWorldIdRequest>[1]) => {
    const context = await signWorldIdRequest(config, given);
    expect(context).toMatchObject({ rp_id: 'rp_test', created_at: 1_700_000_000, expires_at: 1_700_000_300 });
    return await recoverMessageAddress({ message: { raw }, signature: context.signature as `0x${string}` });
  };
  const ours = privateKeyToAddress(`0x${signingKey}`);
  expect(await signerOf(`${session}${action}`, { ...asked, action: 'enrol' })).toBe(ours);
  expect(await signerOf(session, asked)).toBe(ours);
});

test('a confirmed proof of human gives the same subject for every spelling of its nullifier; the portal gets it unchanged', async () => {
  await using portal = await openPortal();
  const subject = await verify(portal, { ...result, integrity_bundle: { version: 1 } });
  expect(subject).toHaveLength(32);
  expect(portal.asked).toEqual([
    {
      path: '/api/v4/verify/rp_test',
      body: { ...result, integrity_bundle: { version: 1 }, min_protocol_version: '4.0' },
    },
  ]);
  for (const nullifier of ['0x123', '123', `0x${'123'.padStart(64, '0')}`]) {
    expect(await verify(portal, { ...result, responses: [{ ...item, nullifier }] })).toEqual(subject);
  }
  expect(await verify(portal, { ...result, responses: [{ ...item, nullifier: '0x124' }] })).not.toEqual(subject);
});

const other = { ...item, issuer_schema_id: 9303, identifier: 'passport' };
const foreign: readonly [string, object, string][] = [
  ['of protocol 3.0', { protocol_version: '3.0' }, 'expected a proof of protocol 4.0, got 3.0'],
  ['from staging', { environment: 'staging' }, 'expected a proof from production, got staging'],
  ['from nowhere', { environment: undefined }, 'got no environment'],
  ['for another action', { action: 'login' }, 'expected the action enrol, got login'],
  ['for another request', { nonce: '0x2b' }, 'expected the nonce of this challenge'],
  ['of a session', { session_id: 'session_1' }, 'expected a proof of uniqueness'],
  ['of another credential', { responses: [other] }, 'expected a proof of human (schema 1), got schema 9303'],
  [
    'of another credential that is called one',
    { responses: [{ ...other, identifier: 'proof_of_human' }] },
    'got schema 9303',
  ],
  ['beside one of another credential', { responses: [item, other] }, 'expected one response, got 2'],
  ['of nothing', { responses: [] }, 'expected the result of IDKit 4'],
  ['for another signal', { responses: [{ ...item, signal_hash: '0x1' }] }, 'binds this challenge as its signal'],
  ['for no signal', { responses: [{ ...item, signal_hash: undefined }] }, 'binds this challenge as its signal'],
  [
    'for the signal as text',
    { responses: [{ ...item, signal_hash: `0x${hashSignal(Buffer.from(signal.toString('hex'))).toString(16)}` }] },
    'binds this challenge',
  ],
  ['with a nullifier that is none', { responses: [{ ...item, nullifier: 'x' }] }, 'expected the result of IDKit 4'],
];

test.each(foreign)('error: a proof %s is refused before the portal is asked', async (_name, change, message) => {
  await using portal = await openPortal();
  const given = JSON.parse(JSON.stringify({ ...result, ...change }));
  await expect(verify(portal, given)).rejects.toMatchObject({
    code: 'invalid_proof',
    message: expect.stringContaining(message),
  });
  expect(portal.asked).toEqual([]);
});

const falseAnswers: readonly [string, (right: Record<string, unknown>) => object, string][] = [
  ['no success', () => ({ success: false, code: 'all_verifications_failed' }), 'got all_verifications_failed'],
  ['protocol 3.0', (right) => ({ ...right, protocol_version: '3.0' }), 'a confirmation for protocol 4.0, got 3.0'],
  ['no protocol', (right) => ({ ...right, protocol_version: undefined }), 'a confirmation for protocol 4.0, got none'],
  ['staging', (right) => ({ ...right, environment: 'staging' }), 'a confirmation from production, got staging'],
  ['another action', (right) => ({ ...right, action: 'login' }), 'a confirmation for the action enrol, got login'],
  ['another nullifier', (right) => ({ ...right, nullifier: '0x1' }), 'got one of another'],
  [
    'a result of another',
    (right) => ({ ...right, results: [{ success: true, nullifier: '0x1' }] }),
    'got one of another',
  ],
  [
    'a result that failed',
    (right) => ({ ...right, results: [{ success: false, nullifier: '0x123' }] }),
    'got one of another',
  ],
  ['no results', (right) => ({ ...right, results: [] }), 'got one of another'],
];

test.each(falseAnswers)('error: an answer with %s confirms nothing', async (_name, change, message) => {
  await using portal = await openPortal();
  portal.answer = (right, response) => say(response, 200, change(right));
  await expect(verify(portal)).rejects.toMatchObject({
    code: 'invalid_proof',
    message: expect.stringContaining(message),
  });
});

test('error: a portal that refuses says why; one that fails, redirects, rambles or is gone is unavailable', async () => {
  await using portal = await openPortal();
  portal.answer = (_right, response) => say(response, 400, { success: false, code: 'rp_not_active' });
  await expect(verify(portal)).rejects.toMatchObject({
    code: 'invalid_proof',
    message: expect.stringContaining('rp_not_active'),
  });
  const broken: Portal['answer'][] = [
    (_right, response) => say(response, 500, {}),
    (_right, response) => say(response, 429, {}),
    (_right, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    (_right, response) => response.end('<html>'),
    (_right, response) => say(response, 200, []),
    (right, response) => say(response, 200, { ...right, message: 'x'.repeat(70_000) }),
    (_right, response) => response.destroy(),
  ];
  for (const answer of broken) {
    portal.answer = answer;
    await expect(verify(portal)).rejects.toMatchObject({ code: 'unavailable' });
  }
});

/** For proofs, each of seconds of a core. */
const patient = { timeout: 180_000 };

test(
  'a person whom World ID confirms enrols as unique, and once: another identity of theirs is refused',
  patient,
  async () => {
    await using portal = await openPortal();
    await using api = await testApi({
      ...settings,
      WORLD_ID_URL: portal.url,
      WORLD_ID_SIGNING_KEY: signingKey,
    });
    await using prover = await openProver();
    const [ada, bob] = [person(prover, 1), person(prover, 2)];
    const post = async (url: string, body: object) => (await api.app.inject({ method: 'POST', url, body })).json();
    const first = { who: ada, nullifier: '0x123', session: sessionId(1), sessionNullifier: ['0x1', '0x2'] } as const;
    const second = { who: bob, nullifier: '0x124', session: sessionId(2), sessionNullifier: ['0x1', '0x3'] } as const;
    expect(await enrolByWorldId(post, first)).toMatchObject({ provider: 'world-id', assurance: 'unique' });
    expect(await enrolByWorldId(post, { ...second, nullifier: '0x0123' })).toMatchObject({ code: 'state_conflict' });
    // a session proof opens one session
    expect(await enrolByWorldId(post, { ...second, sessionNullifier: ['0x01', '2'] })).toMatchObject({
      code: 'invalid_proof',
      detail: expect.stringContaining('a session proof that was not used before'),
    });
    // nothing of what was refused stayed
    expect(await enrolByWorldId(post, second)).toMatchObject({ assurance: 'unique' });
  },
);

test(
  'error: an enrolment by World ID without a session, with one of another request, or over a challenge for an invite',
  patient,
  async () => {
    await using portal = await openPortal();
    await using api = await testApi({
      ...settings,
      WORLD_ID_URL: portal.url,
      WORLD_ID_SIGNING_KEY: signingKey,
    });
    await using prover = await openProver();
    // each is refused before anybody looks at the proof of the identity
    const { commitment, prove } = person(prover, 1);
    const proof = prove([commitment], { purpose: 'enrol', body: {} });
    const who = { commitment, prove: async () => await proof };
    const given = { who, nullifier: '0x123', session: sessionId(1), sessionNullifier: ['0x1', '0x2'] } as const;
    const changed = (change: (body: any) => object) => async (url: string, body: object) =>
      (await api.app.inject({ method: 'POST', url, body: url.endsWith('/enrol') ? change(body) : body })).json();
    expect(
      await enrolByWorldId(
        changed((body) => ({ ...body, worldIdSession: undefined })),
        given,
      ),
    ).toMatchObject({ code: 'invalid_request', detail: expect.stringContaining('body.worldIdSession') });
    // World takes each nonce once, so the two requests have one each
    const swapped = changed((body) => ({
      ...body,
      worldIdSession: { ...body.worldIdSession, nonce: body.worldId.nonce },
    }));
    expect(await enrolByWorldId(swapped, given)).toMatchObject({
      code: 'invalid_proof',
      detail: expect.stringContaining('expected the nonce of this challenge'),
    });
    const { challengeId } = (
      await api.app.inject({
        method: 'POST',
        url: '/api/v1/humans/challenge',
        body: { purpose: 'enrol', commitment: who.commitment },
      })
    ).json();
    const invited = changed((body) => ({ ...body, challengeId }));
    expect(await enrolByWorldId(invited, given)).toMatchObject({
      code: 'invalid_proof',
      detail: expect.stringContaining('expected a challenge that was made for World ID'),
    });
  },
);
