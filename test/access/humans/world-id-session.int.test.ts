import { expect, test } from 'vitest';
import { verifyWorldIdSession } from '#src/access/humans/world-id/world-id-session.ts';
import { sessionId, sessionResult, signalHashOf } from './idkit.ts';
import { broken, openPortal, type Portal, say } from './world-id-portal.ts';

const signal = Buffer.from('a challenge');
const nonce = `0x${'0'.repeat(62)}2a`;
const session = sessionId(1);
const result = sessionResult({ nonce: '0x2a', signal: signal.toString('hex') }, session, ['0x0123', '0x0456']);
const [item] = result.responses;

const verify = async (portal: Portal, given: unknown = result, presence = true) =>
  await verifyWorldIdSession(
    { WORLD_ID_RP_ID: 'rp_test', WORLD_ID_URL: portal.url },
    { result: given, signal, nonce },
    { presence },
  );
const bytes = (hex: string) => Buffer.from(hex.padStart(64, '0'), 'hex');

test('a session proof gives its session and both elements of its nullifier, however they are written', async () => {
  await using portal = await openPortal();
  const right = { id: session, nullifier: bytes('123'), action: bytes('456') };
  expect(await verify(portal, { ...result, integrity_bundle: { version: 1 } })).toEqual(right);
  expect(portal.asked).toEqual([
    {
      path: '/api/v4/verify/rp_test',
      body: { ...result, integrity_bundle: { version: 1 }, min_protocol_version: '4.0' },
    },
  ]);
  for (const session_nullifier of [
    ['0x123', '456'],
    ['123'.padStart(64, '0'), '0x00456'],
  ])
    expect(await verify(portal, { ...result, responses: [{ ...item, session_nullifier }] })).toEqual(right);
  const upper = `session_${session.slice(8).toUpperCase()}`;
  expect(await verify(portal, { ...result, session_id: upper })).toEqual(right);
});

test('a session is opened without anybody being asked to be there', async () => {
  await using portal = await openPortal();
  for (const user_presence_completed of [undefined, false])
    expect(await verify(portal, { ...result, user_presence_completed }, false)).toMatchObject({ id: session });
});

const passport = { ...item, issuer_schema_id: 9303, identifier: 'passport' };
const wrong: readonly [string, object, string][] = [
  ['of protocol 3.0', { protocol_version: '3.0' }, 'expected a proof of protocol 4.0, got 3.0'],
  ['from staging', { environment: 'staging' }, 'expected a proof from production, got staging'],
  ['from nowhere', { environment: undefined }, 'got no environment'],
  ['for another request', { nonce: '0x2b' }, 'expected the nonce of this challenge'],
  ['for an action', { action: 'enrol' }, 'expected a proof of a session, got one for an action'],
  ['of no session', { session_id: undefined }, 'expected the result of a session'],
  ['of a session that is none', { session_id: 'session_1' }, 'expected the result of a session'],
  ['whose user was not there', { user_presence_completed: false }, 'whose user was there'],
  ['that says nothing of presence', { user_presence_completed: undefined }, 'whose user was there'],
  ['of another credential', { responses: [passport] }, 'expected a proof of human (schema 1), got schema 9303'],
  [
    'of another credential that is called one',
    { responses: [{ ...passport, identifier: 'proof_of_human' }] },
    'got schema 9303',
  ],
  [
    'that does not hold, beside one of another credential that does',
    { responses: [{ ...item, proof: [broken] }, passport] },
    'expected one response, got 2',
  ],
  [
    'for the signal of another challenge',
    { responses: [{ ...item, signal_hash: signalHashOf('0x01') }] },
    'binds this challenge as its signal',
  ],
  ['for no signal', { responses: [{ ...item, signal_hash: undefined }] }, 'binds this challenge as its signal'],
  [
    'with half a nullifier',
    { responses: [{ ...item, session_nullifier: ['0x123'] }] },
    'expected the result of a session',
  ],
  [
    'with a nullifier beyond the field',
    { responses: [{ ...item, session_nullifier: ['f'.repeat(64), '0x1'] }] },
    'a nullifier below the scalar order',
  ],
  [
    'with an action beyond the field',
    { responses: [{ ...item, session_nullifier: ['0x1', 'f'.repeat(64)] }] },
    'a nullifier below the scalar order',
  ],
];

test.each(wrong)('error: a session proof %s is refused before the portal is asked', async (_name, change, message) => {
  await using portal = await openPortal();
  const given = JSON.parse(JSON.stringify({ ...result, ...change }));
  await expect(verify(portal, given)).rejects.toMatchObject({
    code: 'invalid_proof',
    message: expect.stringContaining(message),
  });
  expect(portal.asked).toEqual([]);
});

const otherResult = { sessionId: session, success: true, nullifier: '0x123' };
const falseAnswers: readonly [string, (right: Record<string, unknown>) => object, string][] = [
  ['protocol 3.0', (right) => ({ ...right, protocol_version: '3.0' }), 'a confirmation for protocol 4.0, got 3.0'],
  ['staging', (right) => ({ ...right, environment: 'staging' }), 'a confirmation from production, got staging'],
  ['no environment', (right) => ({ ...right, environment: undefined }), 'got no environment'],
  ['another session', (right) => ({ ...right, session_id: sessionId(2) }), 'a confirmation for this session'],
  [
    'no session, as for an action',
    (right) => ({ ...right, session_id: undefined, action: 'enrol' }),
    'for this session, got none',
  ],
  [
    'a result of another session',
    (right) => ({ ...right, results: [{ ...otherResult, sessionId: sessionId(2) }] }),
    'got one of another',
  ],
  [
    'a result of another proof',
    (right) => ({ ...right, results: [{ ...otherResult, nullifier: '0x1' }] }),
    'got one of another',
  ],
  [
    'a result that failed',
    (right) => ({ ...right, results: [{ ...otherResult, success: false }] }),
    'got one of another',
  ],
  ['two results', (right) => ({ ...right, results: [otherResult, otherResult] }), 'got one of another'],
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

test('error: a session proof that does not hold, and a portal that is away', async () => {
  await using portal = await openPortal();
  await expect(verify(portal, { ...result, responses: [{ ...item, proof: [broken] }] })).rejects.toMatchObject({
    code: 'invalid_proof',
    message: expect.stringContaining('got all_verifications_failed'),
  });
  portal.answer = (_right, response) => say(response, 503, {});
  await expect(verify(portal)).rejects.toMatchObject({ code: 'unavailable' });
});
