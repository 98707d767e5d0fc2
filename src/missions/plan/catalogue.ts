import type { CommonQueryMethods } from 'slonik';
import { type TSchema, Type } from 'typebox';
import { answer, answerTools } from '#queues/analytics.ts';
import type { Payload, QueueContract } from '#queues/define.ts';
import { missionExecute, type ownCapabilities } from '#queues/missions.ts';
import { generate } from '#queues/providers.ts';
import type { Sensitivity } from '#src/governance/missions/plan.ts';
import type { CheckedCapability } from '#src/missions/domain/check-plan.ts';
import { signedLink } from '#src/providers/assets/asset-links.ts';
import { listAssetsOfJobs } from '#src/providers/assets/assets.ts';
import { publicUrlOf } from '#src/system/config/public-url.ts';
import type { Context } from '#src/system/context.ts';
import { mediaInput, mediaPayload, mediaSensitivity } from './media.ts';

/** The job that a step's output is made from. */
interface Ended extends Pick<Context, 'config'> {
  readonly db: CommonQueryMethods;
  readonly job: string;
}

/** Something that this system really does, as a step of a mission. */
export interface Capability extends CheckedCapability {
  readonly sensitivity: Sensitivity;
  /** Returns the sensitivity where it depends on the input. */
  readonly sensitivityOf?: (input: Readonly<Record<string, unknown>>) => Sensitivity;
  /** Calls providers that are paid: its route is fixed by the plan, and it costs what they bill. */
  readonly spends?: true;
  /** The setting with the origins that its `url` may have. */
  readonly reach?: 'FETCH_ORIGINS' | 'WEBHOOK_ORIGINS';
  /** Queue whose job does it. */
  readonly queue: QueueContract;
  readonly payload: (step: {
    readonly missionId: string;
    readonly step: string;
    readonly input: Readonly<Record<string, unknown>>;
  }) => unknown;
  /** Returns the part of the job's result that the step gives to later steps, and to the mission's owner. */
  readonly output: (result: unknown, of: Ended) => unknown;
}

const strict = { additionalProperties: false };
/** A message may wait for days for its human. */
const LINK_SECONDS = 7 * 86_400;
const { symbol, symbols, scenarios, shocks, question } = answerTools;
const Url = (description: string) =>
  Type.String({
    pattern: '^https?://',
    maxLength: 2_000,
    description: `${description}; its origin must be allowed by the settings`,
  });

/** Everything a mission can do. The platform's capabilities join here. */
export const catalogue: readonly Capability[] = [
  analysis('snapshot', 'Every figure of a symbol now', { symbol }),
  analysis('surface', 'The implied-volatility surface of a symbol', { symbol }),
  analysis('stress', 'What shocks of spot, volatility and time do to the dealers of some symbols', {
    symbols,
    scenarios: Type.Optional(scenarios),
    shocks: Type.Optional(shocks),
  }),
  analysis('oracle', 'An answer in words to a question about dealer positioning, each number with its source', {
    question,
    symbol: Type.Optional(symbol),
  }),
  {
    name: 'media.generate',
    title: 'A picture, film, voice-over or music from words, by the best provider for it',
    sensitivity: 'spend',
    sensitivityOf: mediaSensitivity,
    spends: true,
    input: Type.Object(mediaInput, strict),
    queue: generate,
    payload: mediaPayload,
    output: mediaOutput,
  },
  own('job.status', 'Status of one of your jobs', 'none', {
    jobId: Type.String({ format: 'uuid', description: 'The job' }),
  }),
  own('receipt.verify', 'Whether a receipt of this service holds: integrity, authenticity, anchor', 'none', {
    receiptId: Type.String({ format: 'uuid', description: 'The receipt; its id is that of its mission or job' }),
  }),
  own('http.fetch', 'What an allowed address answers', 'none', { url: Url('Address to read') }, 'FETCH_ORIGINS'),
  own('content.digest', 'SHA-256 of a text, or of the canonical JSON of anything else', 'none', {
    value: Type.Unknown({ description: 'What is digested' }),
  }),
  own(
    'notify.webhook',
    'Tells an allowed address something, by a signed POST',
    'outside',
    {
      url: Url('Address to notify'),
      body: Type.Unknown({ description: 'Message to it, as JSON' }),
    },
    'WEBHOOK_ORIGINS',
  ),
  own('human.confirm', 'Waits for the yes of its human before the steps that depend on it', 'confirm', {
    question: Type.String({ minLength: 1, maxLength: 2_000, description: 'Question to the human' }),
    leftOut: Type.Optional(
      Type.Array(Type.String({ maxLength: 2_000 }), {
        maxItems: 50,
        description: 'Parts of the goal that no step does',
      }),
    ),
    does: Type.Optional(
      Type.Array(Type.String({ maxLength: 2_000 }), { maxItems: 51, description: 'The steps that run after a yes' }),
    ),
  }),
];

export const capabilities: ReadonlyMap<string, Capability> = new Map(catalogue.map((one) => [one.name, one]));

function analysis(tool: Payload<typeof answer>['tool'], title: string, input: Record<string, TSchema>): Capability {
  return {
    name: `analytics.${tool}`,
    title,
    sensitivity: 'none',
    input: Type.Object(input, strict),
    queue: answer,
    payload: ({ input: stepInput }) => ({ tool, arguments: stepInput }) satisfies Payload<typeof answer>,
    output: (result) => (result as { answer: unknown }).answer,
  };
}

/**
 * Lists the assets, each with an address from which its receiver may fetch it without a key, as a webhook's receiver
 * has none.
 */
async function mediaOutput(result: unknown, { db, job, config }: Ended) {
  const assets = await listAssetsOfJobs({ db }, [job]);
  const now = Date.now();
  return {
    provider: (result as { provider: string }).provider,
    assets: assets.map(({ id, name, kind, mediaType, sha256, size }) => ({
      id,
      name,
      kind,
      mediaType,
      sha256,
      size,
      url: `${publicUrlOf(config)}${signedLink(config, { id, sha256 }, { seconds: LINK_SECONDS, now })}`,
      urlExpiresAt: new Date(now + LINK_SECONDS * 1_000).toISOString(),
    })),
  };
}

function own(
  name: (typeof ownCapabilities)[number],
  title: string,
  sensitivity: Sensitivity,
  input: Record<string, TSchema>,
  reach?: Capability['reach'],
): Capability {
  return {
    name,
    title,
    sensitivity,
    ...(reach && { reach }),
    input: Type.Object(input, strict),
    queue: missionExecute,
    payload: ({ missionId, step, input: stepInput }) =>
      ({ missionId, step, capability: name, input: stepInput }) satisfies Payload<typeof missionExecute>,
    output: (result) => (result as { output: unknown }).output,
  };
}
