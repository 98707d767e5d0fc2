import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openProver } from '#src/commands/client/prover.ts';
import { readBudget } from '#src/governance/budgets/budget-rows.ts';
import { markUnknown, openBudget, reserve } from '#src/governance/budgets/budgets.ts';
import { enrolled, membersOf, type Person, person } from '#test/access/humans/identities.ts';
import { offer, provider } from '#test/providers/offers.ts';
import { catalogueFile } from '#test/studio/catalogue-file.ts';
import { type Caller, callerOf } from './caller.ts';
import { openScene, options, patience, type Scene, where } from './scene.ts';
import type { Visit } from './visit.ts';

/**
 * The studio from a brief to a package, as a visitor who is no operator goes through it, and the catalogue of
 * providers.
 */
const stack = new AsyncDisposableStack();
const unset = 'STUDIO_CONSOLE_TEST_KEY';
let scene: Scene;
let proves: Person;

beforeAll(async () => {
  if (options.skip) return;
  // better and dearer than this machine, and one that cannot be called; neither is called
  const dear = offer({ quality: 1, price: { perImage: 0.2 } });
  const { path } = stack.use(
    catalogueFile([
      provider({ id: 'atelier', title: 'Atelier', capabilities: { 'image.generate': dear } }),
      provider({ id: 'archive', title: 'Archive', credential: unset, capabilities: { 'image.generate': offer() } }),
    ]),
  );
  scene = stack.use(await openScene({ PROVIDERS_FILE: path }));
  proves = person(stack.use(await openProver()), 1);
  await enrolled(scene.context, proves);
}, patience);
afterAll(() => stack.disposeAsync());

/** What `proofline approval grant … --identity` does, beside the page that waits for it. */
async function grantByProof(call: Caller, id: string): Promise<void> {
  const root = `/api/studio/v1/approvals/${id}`;
  const challenge = await call('POST', `${root}/challenge`, {});
  const proof = await proves.prove(await membersOf(scene.context), { purpose: 'approval', body: challenge.body });
  await call('POST', `${root}/decision`, { decision: 'grant', challengeId: challenge.id, proof });
}

const idOf = ({ page }: Visit) => new URL(page.url()).pathname.split('/').at(-1) ?? '';

test(
  `from a brief to a package: planned twice, allowed, rendered, played, published with a proof${where}`,
  options,
  async () => {
    await using visit = await scene.visit('/studio', { as: 'member' });
    const { page } = visit;
    const press = async (name: string | RegExp) => await page.getByRole('button', { name, exact: true }).click();
    const agree = async (name: string) => await page.getByRole('dialog').getByRole('button', { name }).click();

    await page.getByText('No brief yet').waitFor();
    await visit.isSound('studio-empty');
    await page.getByRole('link', { name: 'New brief' }).click();
    await press('Keep the brief');
    await page.getByText('Say what you want, in a sentence at least.').waitFor();
    await page.getByLabel('What you want').fill('A harbour wakes. Boats go out.');
    await page.getByLabel('Title').fill('Harbour');
    await page.getByText('takes a proof of personhood').waitFor();
    await page.getByRole('radio', { name: 'Silent film' }).check();
    // no voice, so no proof of personhood is needed
    expect(await page.getByText('takes a proof of personhood').count()).toBe(0);
    await page.getByRole('checkbox', { name: /LinkedIn/ }).press('Space');
    await page.getByRole('checkbox', { name: /1:1 square/ }).press('Space');
    await page.getByRole('combobox', { name: 'Resolution' }).click();
    await page.getByRole('option', { name: '144p' }).click();
    await page.getByLabel('Length').fill('2');
    await visit.isSound('studio-brief');
    await press('Keep the brief');

    await page.getByText('Not planned yet').waitFor();
    await page.getByLabel('Budget').fill('5');
    await press('Plan it');
    await page.getByRole('link', { name: 'Open the plan: Balanced' }).waitFor();
    await page.getByRole('combobox', { name: 'What decides between providers' }).click();
    await page.getByRole('option', { name: 'Quality first' }).click();
    await page.getByLabel('Budget').fill('0.01');
    await press('Plan it');
    await page.getByText('above its budget').waitFor();
    await page.getByText('Under a budgetUsd of $0.01').waitFor();
    const sides = page.getByRole('row', { name: /Pictures/ }).getByRole('cell');
    expect(await sides.allTextContents()).toEqual([
      expect.stringContaining('atelier'),
      expect.stringContaining('local-animatic'),
    ]);
    await visit.isSound('studio-compare');

    await page.getByRole('link', { name: 'Open the plan: Balanced' }).click();
    await page.getByRole('heading', { name: 'Plan: Harbour' }).waitFor();
    await page.getByText('waits for a decision').waitFor();
    await page.getByLabel('Ceiling').fill('1');
    await press('Dry run');
    await page.getByText('Nothing was executed.').waitFor();
    const cheap = page.getByRole('listitem').filter({ hasText: 'for at most $1.00' });
    await cheap.waitFor();
    await visit.isSound('studio-plan');
    await cheap.getByRole('link', { name: 'Look at it and decide' }).click();

    await page.getByText('Its digest was checked in this browser').waitFor();
    await visit.isSound('studio-approval');
    await press('Grant');
    await page.getByLabel('Reason').fill('a small film');
    await agree('Grant');
    await page.getByText('ada@example.com').first().waitFor();
    await press('Render now');
    await agree('Render now');

    await page.getByRole('heading', { name: 'Result' }).waitFor({ timeout: 90_000 });
    await page.locator('video').waitFor();
    const film = "document.querySelector('video')";
    await page.evaluate(`${film}.muted = true; ${film}.play()`);
    await expect.poll(() => page.evaluate(`${film}.currentTime`)).toBeGreaterThan(0);
    const seen = await page.evaluate(`[${film}.readyState >= 2, ${film}.videoWidth, ${film}.videoHeight]`);
    expect(seen).toEqual([true, 144, 144]);
    await page.getByRole('heading', { name: 'Receipt' }).waitFor();
    await visit.isSound('studio-render');
    await page.getByRole('link', { name: 'timeline, attempts and log' }).click();
    await page.getByRole('table', { name: 'Child jobs' }).getByText('providers.generate').first().waitFor();
    const check = page.getByRole('link', { name: 'verify it here' });
    expect(await check.getAttribute('href')).toBe(`/verify?receipt=${idOf(visit)}`);
    await page.getByRole('link', { name: 'Open its render' }).click();
    await page.getByRole('heading', { name: 'Result' }).waitFor();

    await press('See what would be published');
    await page.getByText('A yes takes a proof of personhood').waitFor();
    const approval = idOf(visit);
    await page.getByText(`npm run -s proofline -- approval grant ${approval} --identity me.json`).waitFor();
    expect(await page.getByRole('button', { name: 'Grant' }).count()).toBe(0);
    await visit.isSound('studio-proof');
    await grantByProof(await callerOf(visit), approval);
    // the page has followed
    await press('Publish now');
    await agree('Publish now');
    const download = page.waitForEvent('download', { timeout: 90_000 });
    await page.getByRole('link', { name: /Download the ZIP/ }).click({ timeout: 90_000 });
    const bytes = await readFile(await (await download).path());
    const call = await callerOf(visit);
    const { result } = await call('GET', `/api/studio/v1/jobs/${idOf(visit)}`);
    const kept = await call('GET', `/api/studio/v1/assets/${result.packages[0].asset.id}`);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(kept.sha256);
    await page.getByText('kept here, for you to post').waitFor();
    await visit.isSound('studio-package');
  },
);

test(`a render is cancelled, and requested again; what is declined does not happen${where}`, options, async () => {
  await using visit = await scene.visit('/studio', { as: 'member' });
  const { page } = visit;
  const call = await callerOf(visit);
  const brief = { mode: 'publish', prompt: 'A long way home.', targetFormats: ['1:1 720p 60s'] };
  const { output } = await call('POST', '/api/studio/v1/brief', brief);
  const { plan, approval } = (await call('POST', '/api/studio/v1/plan', { briefId: output.brief.id })).output;
  await call('POST', `/api/studio/v1/approvals/${approval.id}/decision`, { decision: 'grant' });
  const live = { planId: plan.id, dryRun: false, approvalRef: approval.id };
  const { job } = (await call('POST', '/api/studio/v1/render', live)).output;

  await page.goto(`${scene.url}/studio/jobs/${job.id}`);
  await page.getByRole('button', { name: 'Cancel the render' }).click();
  await page.getByText('what they made stays kept').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the render' }).click();
  await page.getByText('It was cancelled.').waitFor();
  await page.getByRole('button', { name: 'Render again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Render again' }).click();
  await page.getByText('Its digest was checked in this browser').waitFor();
  expect(idOf(visit)).not.toBe(approval.id);
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
  await page.getByText('It is declined, and nothing of it happens.').waitFor();
  expect(visit.troubles).toEqual([]);
});

test(`refusals are sentences, and pages of what is not there say so${where}`, options, async () => {
  await using visit = await scene.visit('/studio', { as: 'member' });
  const { page } = visit;
  const nobodys = '01890000-0000-7000-8000-000000000000';
  for (const [path, sentence] of [
    ['plans', 'expected the id of a plan of yours'],
    ['briefs', 'expected the id of a brief of yours'],
    ['jobs', 'expected the id of a job of yours'],
    ['assets', 'expected the id of a'],
  ]) {
    await page.goto(`${scene.url}/studio/${path}/${nobodys}`);
    await page
      .getByRole('alert')
      .filter({ hasText: sentence ?? '' })
      .first()
      .waitFor();
  }
  // an approval opens from a message, also for who may not decide it
  await page.goto(`${scene.url}/studio/approvals/${nobodys}`);
  await page.getByText('may not decide this').waitFor();
  await page.goto(`${scene.url}/studio/nothing/here`);
  await page.getByText('There is nothing at /studio/nothing/here').waitFor();
  // what was not found, and nothing else
  expect(visit.troubles.filter((trouble) => !trouble.includes('404'))).toEqual([]);
});

test(`an operator writes off a call with an unknown outcome, and bills another${where}`, options, async () => {
  const { context } = scene;
  await openBudget(context.db, 'console', null);
  const calls = ['atelier', 'archive'].map((one) => ({ job: randomUUID(), provider: one }));
  for (const call of calls) {
    const about = { owner: 'somebody', keyId: null, surface: 'studio', capability: 'image.generate' } as const;
    await reserve(context, { ...call, ...about, budgets: ['console'], quoted: 200_000 });
    await markUnknown(context, call, 'expected an answer within 300 s, got none.');
  }
  await using visit = await scene.visit('/providers');
  const { page } = visit;
  // renders of other tests may have left calls of their own
  await page.getByText(/^\d+ calls hold \$\d\.\d\d of their budgets/).waitFor();
  await visit.isSound('providers-unknown-calls');
  await page.getByRole('button', { name: /^Write off the call of atelier/ }).click();
  await page.getByRole('dialog').getByText('The $0.20 that it holds are free again').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Write off' }).click();
  await page.getByRole('button', { name: /^Write off the call of atelier/ }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Bill the call of archive/ }).click();
  await page.getByLabel('Dollars, by the provider’s own books').fill('0.05');
  await page.getByRole('dialog').getByRole('button', { name: 'Bill' }).click();
  await page.getByRole('button', { name: /^Bill the call of archive/ }).waitFor({ state: 'detached' });
  expect(await readBudget(context, 'console')).toMatchObject({ reserved: 0, spent: 50_000 });
});

test(`providers are shown with prices, health and what they lack${where}`, options, async () => {
  await using visit = await scene.visit('/providers');
  const { page } = visit;
  await page.getByText(`Archive has no key. Set ${unset}`).waitFor();
  await page.getByRole('region', { name: 'Atelier' }).getByText('$0.20 a picture').waitFor();
  const archive = page.getByRole('region', { name: 'Archive' });
  await archive.getByText(`key in ${unset}: missing`).waitFor();
  await archive.getByText('unhealthy').waitFor();
  await visit.isSound('providers');
});

// the way from brief to package has looked at them in light at 1280
test.each([
  ['dark', 1280],
  ['light', 390],
] as const)(`the studio's pages in %s at %i pixels have no fault${where}`, options, async (scheme, width) => {
  await using visit = await scene.visit('/studio', { as: 'member', scheme, width });
  const { page } = visit;
  const call = await callerOf(visit);
  const newest = async (what: string) => (await call('GET', `/api/studio/v1/${what}?limit=100`))[what];
  const plan = (await newest('plans')).find((one: { title: string }) => one.title === 'Harbour');
  const jobs = (await newest('jobs')) as { id: string; kind: string; status: string }[];
  const done = (kind: string) => jobs.find((one) => one.kind === kind && one.status === 'succeeded')?.id;
  const [approval] = await newest('approvals');
  for (const [name, path, heading] of [
    ['studio', '/studio', 'Studio'],
    ['studio-brief', '/studio/new', 'New brief'],
    ['studio-compare', `/studio/briefs/${plan.briefId}`, 'Harbour'],
    ['studio-plan', `/studio/plans/${plan.id}`, 'Plan: Harbour'],
    ['studio-approvals', '/studio/approvals', 'Approvals'],
    ['studio-approval', `/studio/approvals/${approval.id}`, 'Approval of a render'],
    ['studio-render', `/studio/jobs/${done('render')}`, 'Render: Harbour'],
    ['studio-package', `/studio/jobs/${done('publish')}`, 'Publication: Harbour'],
    ['providers', '/providers', 'Providers'],
  ] as const) {
    await page.goto(`${scene.url}${path}`);
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
    await visit.isSound(name);
  }
});
