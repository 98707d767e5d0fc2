import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '#src/access/keys/keys.ts';
import { jobScopes } from '#src/lib/principal.ts';
import { openScene, options, patience, people, type Scene, where } from './scene.ts';

let stack: AsyncDisposableStack;
let scene: Scene;
beforeAll(async () => {
  if (options.skip) return;
  stack = new AsyncDisposableStack();
  scene = stack.use(await openScene());
}, patience);
afterAll(async () => await stack?.[Symbol.asyncDispose]());

const contract = { title: 'Send a report', payload: { type: 'object' }, result: { type: 'object' } };

/** The page of a decision about a job of the member with this payload. */
async function asked(payload: object): Promise<string> {
  const owner = `user:${people.member.email}`;
  const { secret } = await createKey(scene.context, { owner, name: 'test', scopes: jobScopes });
  const call = async (method: 'PUT' | 'POST', path: string, body: object): Promise<any> => {
    const headers = { 'x-api-key': secret, 'content-type': 'application/json', prefer: 'respond-async' };
    const answer = await fetch(`${scene.url}${path}`, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(await answer.text());
    return await answer.json();
  };
  await call('PUT', '/v1/queues/ada.send-report', { contract });
  const body = { payload, approval: { why: 'It is sent to customers.' } };
  const { approval_id: id } = await call('POST', '/v1/queues/ada.send-report/jobs', body);
  const { db } = scene.context;
  await expect.poll(() => db.exists(sql.unsafe`select from approvals where id = ${id}`)).toBe(true);
  return `/studio/approvals/${id}`;
}

/** Middle of a button that lies within the window, is large enough for a finger, and is covered by nothing. */
async function middleOf(button: Locator): Promise<{ x: number; y: number } | null> {
  const box = await button.boundingBox();
  if (!box || box.height < 44 || box.x < 0 || box.y < 0) return null;
  if (box.x + box.width > 390 || box.y + box.height > 844) return null;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const top = `document.elementFromPoint(${x}, ${y})?.closest('button')?.textContent`;
  const isFree = (await button.page().evaluate(top)) === (await button.textContent());
  return isFree ? { x, y } : null;
}

/** Scrolls the box of the dialog to its end; whether it is there, and nothing is wider than the box. */
const scrollToEnd = `(() => {
  const box = document.querySelector('[role=dialog] [role=region][aria-label=payload]');
  box.scrollTo(0, box.scrollHeight);
  return box.scrollTop + box.clientHeight >= box.scrollHeight - 1 && box.scrollWidth <= box.clientWidth;
})()`;

// the last member by its name, and by the length of it, as Postgres orders them
const payloads = {
  'above 256 KiB': { rows: Array.from({ length: 9_000 }, (_, n) => ({ n, to: `c${n}@example.com` })), zzzzzz: 'END' },
  'of one unbroken string of 400 KB': { text: 'x'.repeat(400_000), zzzzzz: 'END' },
  'of 9,000 small objects': { rows: Array.from({ length: 9_000 }, () => ({})), zzzzzz: 'END' },
};

for (const [name, payload] of Object.entries(payloads))
  test(
    `a payload ${name} is read to its end on a telephone, taken along, and granted with two taps${where}`,
    options,
    async () => {
      await using visit = await scene.visit(await asked(payload), { as: 'member', width: 390 });
      const { page } = visit;
      await page.getByText('Its digest was checked in this browser').waitFor();
      await visit.settled();
      const downloaded = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download the payload' }).click();
      const file = readFileSync(await (await downloaded).path());
      await page.getByText(hash('sha256', file, 'hex'), { exact: true }).waitFor();
      expect(JSON.parse(file.toString('utf8'))).toEqual(payload);
      // a job without a budget says nothing of money
      expect(await page.getByText('Costs at most').count()).toBe(0);
      expect(await visit.fits()).toBe(true);

      await page.getByRole('button', { name: 'Grant' }).click();
      const dialog = page.getByRole('dialog');
      const grant = dialog.getByRole('button', { name: 'Grant' });
      await expect.poll(() => middleOf(grant)).not.toBeNull();
      // the last member is reached, and the button stays where it is
      const all = dialog.getByRole('button', { name: 'Show all of the payload' });
      if (await all.count()) await all.click();
      const box = dialog.getByRole('region', { name: 'payload' });
      expect((await box.textContent())?.slice(-100)).toMatch(/"zzzzzz": "END"\n\}$/);
      expect(await page.evaluate(scrollToEnd)).toBe(true);
      const place = (await middleOf(grant)) ?? expect.fail('the button is out of reach');
      expect(await visit.fits()).toBe(true);
      await page.mouse.click(place.x, place.y);
      await page.getByText('Decided by').waitFor();
      expect(visit.troubles).toEqual([]);
    },
  );
