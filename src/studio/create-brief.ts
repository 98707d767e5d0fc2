import { randomUUIDv7 } from 'node:crypto';
import { publishOwnerEvents, tellOwner } from '#src/governance/owner-log.ts';
import type { Context } from '#src/system/context.ts';
import type { BriefBody } from './bodies.ts';
import { readFormats } from './domain/formats.ts';
import type { Outcome } from './envelope.ts';
import type { BriefInput } from './inputs.ts';
import { type Brief, insertBrief } from './store.ts';

/** What a brief says, with what it leaves open. */
export function briefBody(input: Omit<BriefInput, 'mode' | 'prompt'> & Pick<BriefInput, 'mode' | 'prompt'>): BriefBody {
  const { mode, prompt, title = null, targetFormats = [], channels = [], managedByPlatform = true } = input;
  return { mode, prompt, title, targetFormats, channels, managedByPlatform };
}

/** Keeps a brief and tells its owner. No provider is called. */
export async function keepBrief(context: Context, owner: string, body: BriefBody): Promise<Brief> {
  const id = randomUUIDv7();
  const { brief, event } = await context.db.transaction(async (tx) => ({
    brief: await insertBrief(tx, id, owner, body),
    event: await tellOwner(tx, owner, 'brief.created', { brief: id, mode: body.mode, title: body.title }),
  }));
  await publishOwnerEvents(context, owner, [event]);
  return brief;
}

/** The tool `studio_brief`. */
export async function createBrief(context: Context, owner: string, input: BriefInput): Promise<Outcome> {
  const brief = await keepBrief(context, owner, briefBody(input));
  const formats = readFormats(brief.brief.targetFormats, brief.brief.channels);
  return {
    output: { brief: briefView(brief), formats: { ...formats, unread: undefined } },
    warnings: [
      ...unreadFormats(formats.unread),
      ...(brief.brief.managedByPlatform
        ? []
        : ['managedByPlatform is false: the brief is kept, and can be planned, but nobody is reminded of it.']),
    ],
    resources: ['studio://providers/catalog', 'studio://governance/policy'],
  };
}

export function unreadFormats(unread: readonly string[]): string[] {
  return unread.map(
    (text) =>
      `targetFormats: ${JSON.stringify(text)} names no aspect ratio, resolution or length that is known, and was left aside.`,
  );
}

export function briefView({ id, brief, createdAt }: Brief) {
  return { id, status: 'recorded', ...brief, createdAt: createdAt.toISOString() };
}
