import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseReceipt } from '#src/receipts/verify/parse-strict.ts';
import { accountsIn, trustPaths } from '#src/receipts/verify/read-trust.ts';
import { verifyReceipt } from '#src/receipts/verify/verify.ts';
import { type TestApi, testApi } from '#test/http/api.ts';
import { frozenRows, frozenTrust, previous } from './release.ts';

const rows = frozenRows(previous);
const [mission] = rows['missions'] ?? [];
const [receipt] = rows['receipts'] ?? [];
let api: TestApi;
let headers: { 'x-api-key': string };

beforeAll(async () => {
  api = await testApi();
  const client = new pg.Client({ connectionString: api.env['DATABASE_URL'] });
  await client.connect();
  for (const [table, stored] of Object.entries(rows))
    for (const row of stored) {
      // only what that release wrote: columns that came later take their defaults, as they did in the migration
      const columns = Object.keys(row).map((name) => client.escapeIdentifier(name));
      await client.query(
        `insert into ${table} (${columns.join()}) overriding system value
         select ${columns.join()} from jsonb_populate_record(null::${table}, $1::jsonb)`,
        [JSON.stringify(row)],
      );
    }
  await client.end();
  ({ headers } = await api.key({ owner: String(mission?.['owner']), operator: true }));
}, 180_000);

afterAll(async () => await api[Symbol.asyncDispose]());

const get = async (url: string) => {
  const answer = await api.app.inject({ url, headers });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};

test('jobs of the release before are read with their results, and their streams with every event', async () => {
  for (const { id, queue, result } of rows['jobs'] ?? []) {
    expect(await get(`/v1/jobs/${String(id)}`)).toMatchObject({ id, queue, state: 'succeeded', result });
    const stream = await api.app.inject({ url: `/v1/jobs/${String(id)}/events`, headers });
    const types = [...stream.body.matchAll(/^event: (.*)$/gm)].map(([, type]) => type);
    expect(types).toEqual((rows['events'] ?? []).filter(({ job }) => job === id).map(({ type }) => type));
  }
});

test('a mission of the release before is shown with its plan and steps, and its receipt still proves it', async () => {
  const shown = await get(`/api/v1/missions/${String(mission?.['id'])}`);
  expect(shown).toMatchObject({ missionId: mission?.['id'], goal: mission?.['goal'], state: 'sealed' });
  expect(shown.plan.steps).toHaveLength(rows['mission_steps']?.length ?? 0);

  const answer = await get(`/api/v1/receipts/${String(receipt?.['id'])}`);
  const trust = frozenTrust(previous);
  const attestation = await verifyReceipt(parseReceipt(JSON.stringify(answer)), {
    jwks: trust[trustPaths.jwks],
    manifest: trust[trustPaths.manifest],
    anchors: accountsIn(trust[trustPaths.anchors]),
    rpc: [],
  });
  expect(attestation.integrity.verdict).toBe('pass');
  expect(attestation.authenticity.verdict).toBe('pass');
});
