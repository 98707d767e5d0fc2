import { type Static, Type } from 'typebox';
import { CHANGED_SHARE, MOST_IDS, MOST_RATE, PREVIEW_S, RATE, SAMPLE } from '#src/jobs/actions/action.ts';
import { actions } from '#src/jobs/model/action-states.ts';
import { states } from '#src/jobs/model/states.ts';
import { Count, Time } from '#src/lib/validation/schema-parts.ts';

const strict = { additionalProperties: false };

/** Jobs that an action is to be about. */
export const ActionFilter = Type.Object(
  {
    queue: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Only jobs of this queue' })),
    state: Type.Optional(
      Type.Enum([...states], {
        type: 'string',
        description: 'Only jobs in this state, of those that the action takes; all of those without it',
      }),
    ),
    owner: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Only jobs of this owner (operators)' }),
    ),
    parent: Type.Optional(Type.String({ format: 'uuid', description: 'Only jobs that this job submitted' })),
    group: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Only jobs that were submitted with this group' }),
    ),
    error_code: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Only jobs that failed, or failed last, with this code',
      }),
    ),
    older_than_s: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 315_360_000,
        description: 'Only jobs that were accepted so many seconds before the preview, or earlier',
      }),
    ),
    created_before: Type.Optional(
      Type.String({ format: 'date-time', description: 'Only jobs that were accepted before this time' }),
    ),
    created_after: Type.Optional(
      Type.String({ format: 'date-time', description: 'Only jobs that were accepted at this time or later' }),
    ),
    text: Type.Optional(
      Type.String({
        minLength: 2,
        maxLength: 200,
        description:
          'Only jobs with this text in their id, Idempotency-Key, error, or payload, as the list of jobs finds them',
      }),
    ),
    ids: Type.Optional(
      Type.Array(Type.String({ format: 'uuid' }), {
        minItems: 1,
        maxItems: MOST_IDS,
        description: 'Only these jobs',
      }),
    ),
  },
  { ...strict, minProperties: 1, description: 'Jobs that all of its members fit; at least one member' },
);
export type ActionFilter = Static<typeof ActionFilter>;

const actionName = Type.Enum([...actions], {
  type: 'string',
  description:
    '`cancel` jobs that have not ended, `redrive` failed ones (your own of queues that you registered; operators any), `expire` those that have not begun, `reprioritise` those that wait',
});
const priority = Type.Integer({
  minimum: 0,
  maximum: 1_000,
  description: 'For `reprioritise`: 0 runs first, 1000 last',
});

/** First request: shows what would be done. */
const PreviewBody = Type.Object(
  {
    action: actionName,
    priority: Type.Optional(priority),
    filter: ActionFilter,
    preview: Type.Literal(true, { description: 'Nothing is done yet' }),
  },
  {
    ...strict,
    title: 'PreviewAction',
    description: 'Ask what an action would be about',
    examples: [{ action: 'redrive', filter: { queue: 'acme.resize-image', error_code: 'timeout' }, preview: true }],
  },
);

/** Second request: does it. */
const BeginBody = Type.Object(
  {
    token: Type.String({ format: 'uuid', description: 'Token of the preview' }),
    rate: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_RATE,
        description: `Most jobs that are acted on in a second; ${RATE} by default`,
      }),
    ),
    changed_share: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: `Share of the previewed jobs that may have moved on since; with more of them the whole is refused. ${CHANGED_SHARE} by default`,
      }),
    ),
  },
  { ...strict, title: 'BeginAction', description: 'Do what was previewed' },
);

export const ActionBody = Type.Union([PreviewBody, BeginBody]);
export type PreviewBody = Static<typeof PreviewBody>;
export type BeginBody = Static<typeof BeginBody>;

/** Answer to the first request: the jobs that an action would be about. */
export const ActionPreview = Type.Object(
  {
    token: Type.String({
      format: 'uuid',
      description: 'Begins the action, by the same key or person, until `expires_at`',
    }),
    action: actionName,
    priority: Type.Union([priority, Type.Null()]),
    count: Count('Number of jobs'),
    sample: Type.Array(Type.Ref('JobSummary'), {
      maxItems: SAMPLE,
      description: 'The first of them, in the order in which they will be acted on',
    }),
    expires_at: Time(`When the token ends: ${PREVIEW_S / 60} minutes after the preview`),
  },
  {
    $id: 'JobActionPreview',
    title: 'JobActionPreview',
    description: 'Exactly the jobs that the action would be about: later ones are not touched',
  },
);
export type ActionPreview = Static<typeof ActionPreview>;
