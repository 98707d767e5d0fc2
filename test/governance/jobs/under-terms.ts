import { expect } from 'vitest';
import type { Decider } from '#src/governance/approvals/decide-approval.ts';
import { contract, type RemoteApi } from '#test/http/workers/remote.ts';

/** A person who may decide for owner-1. */
export const person: Decider = {
  owner: 'owner-1',
  operator: false,
  email: 'ada@example.com',
  issuer: 'https://id.example.com',
  subject: 'ada',
  human: null,
};
/** Reason for which jobs of these tests wait for a decision. */
export const why = 'It writes to customers.';

/** Registers the queue of these tests anew, under terms. */
export const withTerms = async (api: RemoteApi, terms: object) =>
  expect(
    (await api.call('PUT', '/v1/queues/acme.resize-image', { contract: { ...contract, ...terms } })).statusCode,
  ).toBeLessThan(300);

/** Submits a job, and answers its response. */
export const submitAnswer = async (api: RemoteApi, body: object) =>
  await api.call(
    'POST',
    '/v1/queues/acme.resize-image/jobs',
    { payload: { width: 7 }, ...body },
    { prefer: 'respond-async' },
  );

/** Id of the budget of the queue in this month. */
export const monthly = () => `queue:owner-1:acme.resize-image:${new Date().toISOString().slice(0, 7)}`;
