import { expect, test } from 'vitest';
import { errorPage } from '#src/http/edge/error-page-routes.ts';
import { errorCodes } from '#src/lib/error-codes.ts';
import { testApi } from '#test/http/api.ts';
import { renderedWork } from './work.ts';

const root = '/api/studio/v1';

test('refusals with one code are distinguished by the link of each, which leads to its place on a page', async () => {
  await using api = await testApi({ PUBLIC_URL: 'https://studio.example' });
  const { headers } = await api.key();
  const work = await renderedWork(api, headers);
  const ask = async (path: string, payload: object, who: Record<string, string> = headers) => {
    const answer = await api.app.inject({ method: 'POST', url: `${root}${path}`, headers: who, payload });
    const { docs, ...error } = answer.json().error as { docs: string; code: string };
    const link = new URL(docs);
    expect(link.origin + link.pathname).toBe('https://studio.example/docs/errors');
    return [answer.statusCode, error.code, link.hash, link.searchParams.get('reason')];
  };
  const poor = await api.key({ scopes: ['studio.read'] });
  const live = { planId: work.plan, dryRun: false };
  expect(await ask('/brief', { mode: 'voice', prompt: 'x' }, poor.headers)).toEqual(row('#forbidden', 'scope'));
  expect(await ask('/render', { ...live, approvalRef: 'none' })).toEqual(row('#invalid_approval', 'unknown'));
  expect(await ask('/render', { ...live, approvalRef: work.approval })).toEqual(row('#invalid_approval', 'used'));
  const planned = await api.app.inject({
    method: 'POST',
    url: `${root}/plan`,
    headers,
    payload: { mode: 'voice', prompt: 'y' },
  });
  const { plan, approval } = planned.json().output;
  const pending = { planId: plan.id, dryRun: false, approvalRef: approval.id };
  expect(await ask('/render', pending)).toEqual(row('#invalid_approval', 'pending'));
  const decision = { decision: 'grant' };
  expect(await ask(`/approvals/${approval.id}/decision`, decision)).toEqual(row('#forbidden', 'session'));
  expect(await ask('/brief', {})).toEqual([400, 'invalid_request', '#invalid_request', null]);
  expect(await ask('/brief', {}, {})).toEqual([401, 'invalid_request', '#unauthorized', null]);

  const page = await api.app.inject('/docs/errors?reason=used');
  expect(page.statusCode).toBe(200);
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  for (const code of Object.keys(errorCodes)) expect(page.body).toContain(`<dt id="${code}">`);
});

const row = (hash: string, reason: string) => [403, 'invalid_request', hash, reason];

test('what the page says is text, whatever it holds', () => {
  const page = errorPage('| `not_found` | 404 | no | A <b> & `c`. |\n');
  expect(page).toContain('<dt id="not_found">not_found</dt><dd>404 Not Found. A &lt;b&gt; &amp; <code>c</code>.</dd>');
});
