import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { sql } from 'slonik';
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey, missionScopes } from '#src/access/keys/keys.ts';
import { readReady } from '#src/system/embedded/ready-file.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { openScene, options, patience, type Scene, where } from './scene.ts';

const run = promisify(execFile);
const program = join(import.meta.dirname, '../../bin/proofline.mjs');
const owner = 'user:ada@example.com';

let scene: Scene;
let receiver: Server;
let origin: string;
const heard: string[] = [];

beforeAll(async () => {
  if (options.skip) return;
  receiver = createServer((request, response) => {
    void text(request).then((body) => {
      heard.push(body);
      response.writeHead(204).end();
    });
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  scene = await openScene({ WEBHOOK_ORIGINS: origin });
}, patience);
afterAll(async () => {
  await scene?.[Symbol.asyncDispose]();
  receiver?.close();
});

/** Runs a command as the page shows it, with the identity of the development human, and agrees. */
async function runShown(page: Page, what: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const shown = (await page.getByRole('region', { name: what }).textContent()) ?? '';
  const [npm, ...words] = shown
    .replaceAll(/\s*\\\n\s*/g, ' ')
    .replace('me.json', join(scene.home, 'identity.json'))
    .split(' -- ');
  expect(npm).toBe('npm run -s proofline');
  await run(process.execPath, [program, ...words.join(' -- ').split(' '), '--yes'], {
    env: { ...process.env, ...env },
  });
}

const human = async () =>
  (
    await scene.context.db.one(
      sql.type(row(Type.Object({ id: Type.String() })))`select encode(nullifier, 'hex') as id from humans`,
    )
  ).id;

/** Without the commands: what they do is shown by one test. */
async function knownAsHuman(): Promise<void> {
  await scene.visit('/missions', { as: 'member' }).then((visit) => visit[Symbol.asyncDispose]());
  await scene.context.db.query(sql.unsafe`update identities set human = ${await human()} where owner = ${owner}`);
}

test(
  `a visitor enrols as a human, writes a goal, sees its plan, runs it, agrees to its effect, and checks its receipt${where}`,
  options,
  async () => {
    await using visit = await scene.visit('/missions', { as: 'member' });
    const { page } = visit;
    await page.getByRole('heading', { name: 'Show that you are a verified human' }).waitFor();
    await page.getByText('You have no missions yet').waitFor();
    await page.getByRole('button', { name: 'Make the command' }).press('Enter');
    await page.getByRole('button', { name: 'I have run it' }).click();
    await page.getByText('There is no proof yet').waitFor();
    await visit.isSound('missions-human');
    await runShown(page, 'command that proves');
    await page.getByRole('button', { name: 'I have run it' }).click();

    await page.getByRole('button', { name: 'Plan it' }).click();
    await page.getByText('Say what is wanted').waitFor();
    await page.getByLabel('Goal').fill(`Hash the lovely "a harbour". Then notify ${origin}/hook`);
    await page.getByLabel('Budget').fill('2');
    await visit.isSound('missions');
    await page.getByRole('button', { name: 'Plan it' }).press('Enter');

    await page.getByText('planned', { exact: true }).waitFor();
    await page.getByText('“lovely”').waitFor();
    await page.getByText('asks its human (outside): effects outside need a human').waitFor();
    await visit.isSound('mission-planned');
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await page.getByRole('button', { name: 'Execute' }).press('Enter');
    await page.getByRole('dialog').getByText('It stops before s2').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Execute' }).press('Enter');

    await page.getByRole('heading', { name: 's2 waits for you' }).waitFor();
    expect(await page.getByRole('region', { name: 'effect of s2' }).textContent()).toContain(`${origin}/hook`);
    expect(heard).toEqual([]);
    await visit.isSound('mission-waits');
    const { secret } = await createKey(scene.context, {
      owner,
      name: 'laptop',
      scopes: missionScopes,
      human: await human(),
    });
    await runShown(page, 'command that approves', { PROOFLINE_KEY: secret });

    await page.getByText('sealed', { exact: true }).waitFor();
    expect(heard).toHaveLength(1);
    await page.getByRole('table', { name: 'What happened' }).getByText('Nothing more will come').waitFor();
    for (const count of ['Integrity', 'Authenticity'])
      await page.getByRole('article', { name: count }).getByText('passes').first().waitFor();
    const anchor = page.getByRole('article', { name: 'Anchor' });
    await anchor.getByText('The chain was not asked').first().waitFor();
    if (readReady(scene.home)?.servers.chain) await anchor.getByText(/the service reads: pass/).waitFor();
    // checked here, of what the service hands out: not its own word
    await page.route(`**/api/v1/receipts/${id}`, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        response: answer,
        body: (await answer.text()).replace('human.verified', 'human.declined'),
      });
    });
    await page.reload();
    await page.getByRole('article', { name: 'Integrity' }).getByText('fails').first().waitFor();
    await page.unroute(`**/api/v1/receipts/${id}`);
    await page.reload();
    await page.getByRole('article', { name: 'Integrity' }).getByText('passes').first().waitFor();
    await page.getByText('Digest a result').last().click();
    await page.getByRole('region', { name: 'output of s1' }).waitFor();
    await visit.isSound('mission-sealed');
    await page.getByRole('link', { name: 'Open its job' }).click();
    await page.getByRole('heading', { level: 1, name: 'missions.execute' }).waitFor();
    await page.getByRole('link', { name: 'Open its mission' }).click();
    const envelope = page.getByRole('link', { name: 'Envelope, .dsse' });
    expect((await fetch(`${scene.url}${await envelope.getAttribute('href')}`)).status).toBe(200);

    await using small = await scene.visit(`/missions/${id}`, { as: 'member', width: 390, scheme: 'dark' });
    await small.page.getByRole('article', { name: 'Integrity' }).getByText('passes').first().waitFor();
    await small.isSound('mission-sealed');
    await small.page.getByRole('link', { name: 'All missions' }).click();
    await small.page.getByRole('table', { name: 'Your missions' }).getByText('sealed').waitFor();
    await small.isSound('missions');
  },
);

test(
  `a mission that waits is declined, one that was planned is cancelled, and a goal that nothing does is said to be one${where}`,
  options,
  async () => {
    await knownAsHuman();
    await using visit = await scene.visit('/missions', { as: 'member' });
    const { page } = visit;
    const dialog = page.getByRole('dialog');
    const plan = async (goal: string) => {
      await page.getByLabel('Goal').fill(goal);
      await page.getByRole('button', { name: 'Plan it' }).click();
    };
    await plan(`Notify ${origin}/never`);
    await page.getByRole('button', { name: 'Execute' }).click();
    await dialog.getByRole('button', { name: 'Execute' }).click();
    await page.getByRole('button', { name: 'Decline' }).click();
    await dialog.getByRole('button', { name: 'Decline' }).click();
    await page.getByText('The step s1 was declined by its owner.').first().waitFor();
    await page.getByText('Is it whole?').waitFor();
    expect(heard.join(' ')).not.toContain('never');
    await visit.isSound('mission-declined');

    await page.getByRole('link', { name: 'All missions' }).click();
    await plan('Hash "another harbour"');
    await page.getByRole('button', { name: 'Cancel the mission' }).click();
    await dialog.getByText('Nothing of it has run, and nothing will.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel the mission' }).click();
    await page.getByText('cancelled', { exact: true }).first().waitFor();
    expect(visit.troubles).toEqual([]);

    await page.getByRole('link', { name: 'All missions' }).click();
    await plan('Feed the cat');
    await page
      .getByRole('alert')
      .getByText(/expected/)
      .waitFor();
    expect(visit.troubles.join(' ')).toContain('422');
  },
);
