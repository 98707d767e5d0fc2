import { expect, test } from 'vitest';
import { PATTERN, wantsFamily, wantsType } from '#src/governance/notifications/endpoints/event-types.ts';
import { bodyFor } from '#src/governance/notifications/send/bodies.ts';
import { sentenceOf } from '#src/governance/notifications/send/sentence.ts';

const timestamp = '2026-11-23T08:00:00.000Z';
const url = 'https://proofline.example/jobs/1';
const failed = {
  type: 'job.failed',
  timestamp,
  data: { queue: 'acme.resize', error: { code: 'bad', message: '<!channel> [x](https://evil) & *all*' }, url },
};
const read = (format: 'slack' | 'discord' | 'teams', message: object) =>
  JSON.parse(bodyFor(format, JSON.stringify(message)));

test('raw is the message itself', () => {
  const text = JSON.stringify(failed);
  expect(bodyFor('raw', text)).toBe(text);
});

test('Slack gets one block with a sentence and a link, and nothing in it calls anybody', () => {
  expect(read('slack', failed)).toEqual({
    text: 'acme.resize failed',
    blocks: [
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: `*acme.resize failed*\nbad: &lt;!channel&gt; [x](https://evil) &amp; *all*\n<${url}|Open it in Proofline>`,
        },
      },
    ],
  });
});

test('Discord gets one embed that can mention nobody, and no link but ours', () => {
  const { embeds, allowed_mentions } = read('discord', failed);
  expect(allowed_mentions).toEqual({ parse: [] });
  expect(embeds).toMatchObject([{ title: 'acme.resize failed', url, timestamp, color: 0xe03131 }]);
  expect(embeds[0].description).toContain(String.raw`\[x\]\(https://evil\)`);
  expect(embeds[0].description).toContain(`[Open it in Proofline](${url})`);
});

test('Teams gets an Adaptive Card with an action that opens the page', () => {
  const { type, attachments } = read('teams', failed);
  expect([type, attachments[0].contentType]).toEqual(['message', 'application/vnd.microsoft.card.adaptive']);
  expect(attachments[0].content).toMatchObject({
    type: 'AdaptiveCard',
    version: '1.4',
    body: [{ type: 'TextBlock', text: 'acme.resize failed', wrap: true }, { type: 'TextBlock' }],
    actions: [{ type: 'Action.OpenUrl', title: 'Open it in Proofline', url }],
  });
});

test('every kind of event has a sentence, and one that is not known its type', () => {
  const data = { id: 'x', url };
  const titles = [
    [
      'approval.waiting',
      { ...data, title: 'run acme.resize', why: 'It is large.' },
      'A decision waits: run acme.resize',
    ],
    [
      'approval.decided',
      { ...data, title: 'run acme.resize', decision: 'declined', by: 'ada' },
      'Decision declined: run acme.resize',
    ],
    [
      'budget.80',
      { percent: 80, budget: 'owner:ada:2026-11', spent_usd: 8, ceiling_usd: 10 },
      '80 % of the budget owner:ada:2026-11 is used',
    ],
    ['signal.wall_break', { symbol: 'SPX' }, 'SPX: wall break'],
    ['mission.step.failed', data, 'Mission x: step failed'],
    ['flow.failed', data, 'A flow failed'],
    ['flow.failed', { ...data, name: 'doubles' }, 'The flow doubles failed'],
    ['endpoint.disabled', { title: 'Ops', why: 'gone' }, 'The endpoint Ops was disabled'],
    ['job.awaiting_approval', { queue: 'acme.resize' }, 'acme.resize: awaiting approval'],
    ['asset.created', data, 'asset.created'],
  ] as const;
  for (const [type, of, title] of titles) expect(sentenceOf({ type, timestamp, data: of }).title).toBe(title);
  const long = sentenceOf({
    type: 'job.failed',
    timestamp,
    data: { queue: 'q'.repeat(500), error: { message: '😀'.repeat(2_000) } },
  });
  expect([long.title.length, long.text.length <= 1_000, long.text.isWellFormed()]).toEqual([200, true, true]);
});

test('filters take a type, a family or all, and aliases', () => {
  const cases = [
    [['job.failed'], 'job.failed', true],
    [['job.*'], 'job.failed', true],
    [['job.*'], 'mission.failed', false],
    [['mission.*'], 'mission.step.failed', true],
    [['mission.step.*'], 'mission.failed', false],
    [['alert.pin'], 'signal.pin', true],
    [['job.failed'], 'flow.failed', true],
    [['flow.*'], 'job.failed', false],
    [['*'], 'asset.created', true],
  ] as const;
  for (const [patterns, type, wanted] of cases)
    expect([patterns, type, wantsType(patterns, type)]).toEqual([patterns, type, wanted]);
  expect([wantsFamily(['job.failed'], 'job'), wantsFamily(['*'], 'budget'), wantsFamily(['job.*'], 'flow')]).toEqual([
    true,
    true,
    false,
  ]);
  const pattern = new RegExp(PATTERN);
  for (const [text, fits] of [
    ['*', true],
    ['budget.80', true],
    ['mission.step.*', true],
    ['jobs.*', false],
    ['job.*.x', false],
    ['job.**', false],
  ] as const)
    expect([text, pattern.test(text)]).toEqual([text, fits]);
});
