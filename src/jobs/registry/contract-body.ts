import Type, { type Static } from 'typebox';
import { MOST_CONTENT_BYTES, sizeDefaults } from '#queues/define.ts';
import { ApprovalTerms, BudgetTerms } from '#queues/terms.ts';
import { UniqueTerms } from '#queues/unique.ts';
import type { ForeignSchema } from './schema/keywords.ts';

const schema = (description: string) => Type.Unsafe<ForeignSchema | boolean>({ description });

/** Bounds of what a contract may ask for. */
export const contractBounds = {
  attempts: 1_000,
  /** A day. */
  backoffMs: 86_400_000,
  /** A day: a longer story suspends. */
  timeoutMs: 86_400_000,
  /** Ten years. */
  retentionMs: 315_360_000_000,
  contentBytes: MOST_CONTENT_BYTES,
  /** As much as a step may have: it is passed on to every subscriber. */
  progressBytes: 1_048_576,
} as const;

const MostBytes = (maximum: number, what: string, usual: number) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum,
      description: `Most bytes of JSON that ${what} may have; ${usual.toLocaleString('en-US')} by default`,
    }),
  );

/** A contract as it is registered: everything but the schemas has a default. */
export const ContractBody = Type.Object(
  {
    title: Type.String({ minLength: 1, maxLength: 200, description: 'What a job of this queue does, in one line' }),
    payload: schema('JSON Schema 2020-12 of the payload; references stay in it, patterns are RE2’s'),
    result: schema('JSON Schema 2020-12 of the result'),
    progress: Type.Optional(schema('JSON Schema 2020-12 of one progress message; any JSON by default')),
    attempts: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: contractBounds.attempts,
        description:
          'How often a job may fail before it is given up; 3 by default. Drains and lost workers do not count',
      }),
    ),
    backoff_ms: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: contractBounds.backoffMs,
        description: 'Pause after the first failure, doubled with each, with full jitter; 500 by default',
      }),
    ),
    backoff_cap_ms: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: contractBounds.backoffMs,
        description: 'Longest pause between two attempts; 60,000 by default',
      }),
    ),
    timeout_ms: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: contractBounds.timeoutMs,
        description: 'Longest run of one attempt; 60,000 by default',
      }),
    ),
    priority: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000,
        description: 'Of jobs submitted without one: 0 runs first, 1000 last; 0 by default',
      }),
    ),
    retention: Type.Optional(
      Type.Object(
        {
          ms: Type.Optional(
            Type.Integer({ minimum: 0, maximum: contractBounds.retentionMs, description: 'Greatest age' }),
          ),
          count: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Most of the newest' })),
        },
        { additionalProperties: false, description: 'Of its finished jobs; `JOB_RETENTION_DAYS` by default' },
      ),
    ),
    receipt: Type.Optional(
      Type.Boolean({
        description: 'Whether each of its jobs leaves a sealed, anchored receipt at its end; false by default',
      }),
    ),
    approval: Type.Optional(ApprovalTerms),
    budget: Type.Optional(BudgetTerms),
    unique: Type.Optional(UniqueTerms),
    group: Type.Optional(
      Type.String({
        maxLength: 500,
        pattern: '^(/.*)?$',
        description:
          'JSON pointer (RFC 6901) into the payload, to the group of a job that is submitted without one: a text of 1 to 200 characters, a number or a boolean. Where it leads to anything else the job is in its owner’s group',
      }),
    ),
    max_payload_bytes: MostBytes(contractBounds.contentBytes, 'a payload', sizeDefaults.maxPayloadBytes),
    max_result_bytes: MostBytes(contractBounds.contentBytes, 'a result', sizeDefaults.maxResultBytes),
    max_progress_bytes: MostBytes(contractBounds.progressBytes, 'one progress message', sizeDefaults.maxProgressBytes),
    replaceable: Type.Optional(
      Type.Boolean({
        description:
          'Whether a newer job does what an older one was to do: a job whose process died is then cancelled, not run again; false by default',
      }),
    ),
  },
  { title: 'ContractBody', additionalProperties: false, description: 'Contract of one version of a queue' },
);
export type ContractBody = Static<typeof ContractBody>;
