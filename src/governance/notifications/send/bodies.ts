import type { Format } from '#src/governance/notifications/endpoints/event-types.ts';
import { type Message, type Sentence, sentenceOf } from './sentence.ts';

/** Colours of Discord’s embeds, 0xRRGGBB. */
const colours: Readonly<Record<Sentence['tone'], number>> = {
  good: 0x2f9e44,
  bad: 0xe03131,
  ask: 0xf08c00,
  plain: 0x868e96,
};

/** Slack reads `<`, `>` and `&` as its own marks: `<!channel>` would call everybody. */
const slackText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Brackets and backslashes of Markdown, taken as they are. */
const markdownText = (text: string): string => text.replaceAll(/[\\`*_~|[\]()<>#]/g, String.raw`\$&`);

/** A message of Slack’s incoming webhooks: Block Kit, with a plain text for notifications. */
function slackBody({ title, text, url, action }: Sentence): object {
  const lines = [`*${slackText(title)}*`, slackText(text), url && `<${slackText(url)}|${slackText(action)}>`];
  return {
    text: slackText(title),
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: lines.filter(Boolean).join('\n') } }],
  };
}

/** A message of Discord’s webhooks: one embed, which mentions no member. */
function discordBody({ title, text, url, action, tone }: Sentence, { timestamp }: Message): object {
  const description = [markdownText(text), url && `[${markdownText(action)}](${url})`].filter(Boolean).join('\n');
  return {
    embeds: [
      { title: markdownText(title).slice(0, 256), description, ...(url && { url }), timestamp, color: colours[tone] },
    ],
    allowed_mentions: { parse: [] },
  };
}

/** A message of Teams’ workflows: one Adaptive Card. */
function teamsBody({ title, text, url, action, tone }: Sentence): object {
  const color = { good: 'Good', bad: 'Attention', ask: 'Warning', plain: 'Default' }[tone];
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      { type: 'TextBlock', text: markdownText(title), weight: 'Bolder', size: 'Medium', wrap: true, color },
      ...(text === '' ? [] : [{ type: 'TextBlock', text: markdownText(text), wrap: true }]),
    ],
    actions: url ? [{ type: 'Action.OpenUrl', title: action, url }] : [],
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card }],
  };
}

const writers: Readonly<Record<Exclude<Format, 'raw' | 'mail'>, (sentence: Sentence, message: Message) => object>> = {
  slack: slackBody,
  discord: discordBody,
  teams: teamsBody,
};

/** The body of a request to a receiver: the message itself for `raw`, else as that service takes it. */
export function bodyFor(format: Exclude<Format, 'mail'>, body: string): string {
  if (format === 'raw') return body;
  const message = JSON.parse(body) as Message;
  return JSON.stringify(writers[format](sentenceOf(message), message));
}
