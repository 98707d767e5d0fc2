import type { GoalPlan } from '#src/missions/domain/plan-goal.ts';
import { shortShocks } from '#test/lib/words/short-shocks.ts';

/** Stands in the goals of the tables for addresses and ids, which would hide their words. */
export const places: readonly (readonly [name: string, stands: string])[] = [
  ['URL', 'https://hooks.example.com/x'],
  ['PAGE', 'https://example.com/a.json?b=1'],
  ['ID', '0198c0de-0000-7000-8000-000000000000'],
];

export function writeOut(goal: string): string {
  return places.reduce(
    (text, [name, stands]) => text.replaceAll(new RegExp(String.raw`\b${name}\b`, 'g'), stands),
    goal,
  );
}

/** A plan in short form, as the table of goals has it. */
export function shortPlan({ steps }: GoalPlan): string {
  return shorten(steps.map(({ capability, input }) => shortStep(capability, input as Input)).join('; '));
}

/** What is left over, in the table's form: `~` before what the mission does not wait for. */
export function shortLeft({ unmapped, doubts }: GoalPlan): string {
  return shorten(unmapped.map((text) => (doubts.includes(text) ? text : `~${text}`)).join(' | '));
}

function shorten(text: string): string {
  return places.reduce((short, [name, stands]) => short.replaceAll(stands, name), text);
}

type Input = Readonly<Record<string, any>>;

const forms: Readonly<Record<string, (input: Input) => string>> = {
  'analytics.snapshot': ({ symbol }) => `snapshot ${symbol}`,
  'analytics.surface': ({ symbol }) => `surface ${symbol}`,
  'analytics.stress': ({ symbols, scenarios }) => `stress ${symbols.join('+')}: ${shortShocks(scenarios)}`,
  'analytics.oracle': ({ question }) => `ask "${question}"`,
  'content.digest': ({ value }) => `digest ${typeof value === 'string' ? `"${value}"` : value.$from}`,
  'http.fetch': ({ url }) => `fetch ${url}`,
  'job.status': ({ jobId }) => `job ${jobId}`,
  'receipt.verify': ({ receiptId }) => `verify ${receiptId}`,
  'notify.webhook': ({ url, body: { message, results } }) =>
    [`tell ${url}`, ...(message === undefined ? [] : [`"${message}"`]), Object.keys(results ?? {}).join('+')]
      .join(' ')
      .trim(),
  'media.generate': ({ capability, prompt, aspect, seconds, resolution }) =>
    [capability.split('.')[0], `"${prompt}"`, aspect, seconds && `${seconds}s`, resolution && `${resolution}p`]
      .filter(Boolean)
      .join(' '),
};

function shortStep(capability: string, input: Input): string {
  return forms[capability]?.(input) ?? capability;
}
