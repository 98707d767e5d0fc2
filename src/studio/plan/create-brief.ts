import { randomUUIDv7 } from 'node:crypto';
import type { CommonQueryMethods } from 'slonik';
import { publishTold, type Said, tellOwners } from '#src/governance/owners/owner-log.ts';
import { canonicalText } from '#src/lib/crypto/canonical-json.ts';
import { idempotencyConflict } from '#src/lib/idempotency-conflict.ts';
import { readFilmScript } from '#src/studio/domain/film-script.ts';
import { readFormats } from '#src/studio/domain/formats.ts';
import { narrationSeconds, openLength } from '#src/studio/domain/shape-steps.ts';
import type { Outcome } from '#src/studio/edge/envelope.ts';
import type { BriefInput } from '#src/studio/edge/inputs.ts';
import type { BriefBody } from '#src/studio/model/bodies.ts';
import { findKeyed, keyedId } from '#src/studio/model/keyed-id.ts';
import { type Brief, insertBriefs, type NewBrief, readBrief } from '#src/studio/model/store.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { sharedTransaction } from '#src/system/shared-transaction.ts';

/** Briefs that one transaction keeps. */
const MOST_BRIEFS = 64;

/** Completes a brief with the defaults of the members that it leaves open. */
export function briefBody(input: Omit<BriefInput, 'mode' | 'prompt'> & Pick<BriefInput, 'mode' | 'prompt'>): BriefBody {
  const { mode, prompt, title = null, targetFormats = [], channels = [], managedByPlatform = true } = input;
  return { mode, prompt, title, targetFormats, channels, managedByPlatform };
}

/** The client's Idempotency-Key, and whether the request under it asks for the brief or for a plan with one. */
interface BriefKey {
  readonly key: string;
  readonly of: 'brief' | 'plan';
}

/**
 * With a space, which no client's key has: the brief of a plan under a key is another than the brief under that key.
 */
const digestedKey = ({ key, of }: BriefKey): string => (of === 'plan' ? `plan ${key}` : key);

/**
 * Stores a brief and publishes it to its owner. No provider is called. An Idempotency-Key that made a brief before
 * returns that brief.
 *
 * @throws AppError `idempotency_conflict` where that brief says something else.
 */
export async function keepBrief(
  context: Context,
  owner: string,
  body: BriefBody,
  keyed?: BriefKey,
): Promise<{ readonly brief: Brief; readonly created: boolean }> {
  if (keyed === undefined)
    return { brief: await keepBriefTogether(context)({ id: randomUUIDv7(), owner, brief: body }), created: true };
  const request = { owner, key: digestedKey(keyed), kind: 'brief' } as const;
  const id = keyedId(request);
  const { brief, told } = await context.db.transaction(async (tx) => {
    const known = await findKeyed(tx, request, id, context.config.JOB_RETENTION_DAYS);
    const before = known && (await readBrief({ db: tx }, known, owner));
    if (before && canonicalText(before.brief) !== canonicalText(body))
      throw idempotencyConflict(keyed.key, {
        kind: 'brief',
        id: before.id,
        ...(keyed.of === 'plan' && { of: 'of a plan' }),
      });
    if (before) return { brief: before, told: [] };
    const kept = await insertTold(tx, [{ id, owner, brief: body }]);
    return { brief: keptOf(kept.briefs, id), told: kept.told };
  });
  await publishTold(context, told);
  return { brief, created: told.length > 0 };
}

/** Keeps a brief without a key, together with those of the same moment. */
const keepBriefTogether = perContext((context: Context) =>
  sharedTransaction(context, {
    size: MOST_BRIEFS,
    // two would wait for each other where they are of the same owner
    width: 1,
    work: insertTold,
    answer: async ({ briefs, told }, asked: readonly NewBrief[]) => {
      await publishTold(context, told);
      return asked.map(({ id }) => keptOf(briefs, id));
    },
  }),
);

async function insertTold(tx: CommonQueryMethods, asked: readonly NewBrief[]) {
  const briefs = await insertBriefs(tx, asked);
  const said = asked.map(({ id, owner, brief: { mode, title } }): Said => {
    return { owner, type: 'brief.created', data: { brief: id, mode, title } };
  });
  return { briefs, told: await tellOwners(tx, said) };
}

function keptOf(briefs: ReadonlyMap<string, Brief>, id: string): Brief {
  const brief = briefs.get(id);
  if (brief) return brief;
  throw new Error(`expected the brief ${id} to be kept, got none`);
}

/** The tool `studio_brief`; its route with the client's Idempotency-Key. */
export async function createBrief(
  context: Context,
  owner: string,
  input: BriefInput,
  key?: string,
): Promise<Outcome & { readonly created: boolean }> {
  const { brief, created } = await keepBrief(
    context,
    owner,
    briefBody(input),
    key === undefined ? undefined : { key, of: 'brief' },
  );
  const { mode, prompt, title, targetFormats, channels } = brief.brief;
  const script = readFilmScript(prompt);
  const { aspects, resolution, requested, ...formats } = readFormats(targetFormats, channels, script.seconds, mode);
  const seconds = requested.seconds === null ? openLength({ mode, prompt, title }) : formats.seconds;
  return {
    created,
    output: {
      brief: briefView(brief),
      formats: { aspects, resolution, seconds },
      narrationSeconds: narrationSeconds({ mode, prompt }),
    },
    warnings: [
      ...formats.warnings,
      ...script.warnings,
      ...(brief.brief.managedByPlatform
        ? []
        : ['managedByPlatform is false: the brief is stored, and can be planned, but no reminder is sent.']),
    ],
    resources: ['studio://providers/catalog', 'studio://governance/policy'],
  };
}

export function briefView({ id, brief, createdAt }: Brief) {
  return { id, status: 'recorded', ...brief, createdAt: createdAt.toISOString() };
}
