import { type Static, Type } from 'typebox';
import { jobOptions } from '#src/http/queues/job-options.ts';
import { states } from '#src/jobs/model/states.ts';
import { missedPolicies, overlaps } from '#src/jobs/schedules/policies.ts';
import { runOutcomes } from '#src/jobs/schedules/schedule-row.ts';
import { OptionalText, OptionalTime, Time } from '#src/lib/validation/schema-parts.ts';

export const ScheduleName = Type.String({
  pattern: '^[a-z0-9][a-z0-9._-]{0,99}$',
  description: 'Its name, once for an owner: lower-case letters, digits, dot, hyphen and underscore',
  examples: ['nightly-report'],
});

const rule = {
  cron: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Five fields from the minute, or six from the second. A local time that a change of clocks leaves out is taken at the end of the gap, one that comes twice is taken once; with a `*` in its seconds, minutes or hours it goes by time that passes',
      examples: ['0 7 * * 1-5'],
    }),
  ),
  every_ms: Type.Optional(
    Type.Integer({
      minimum: 1_000,
      maximum: 31_536_000_000,
      description: 'Instead of `cron`: whole intervals from when the schedule was made',
    }),
  ),
  zone: Type.Optional(
    Type.String({
      maxLength: 60,
      description: 'IANA name of the zone of `cron`; UTC by default',
      examples: ['Europe/London'],
    }),
  ),
};

const job = {
  queue: Type.String({ minLength: 3, maxLength: 100, description: 'The queue, as `<namespace>.<verb-noun>`' }),
  payload: Type.Unsafe<unknown>({ description: 'Fits the payload of the contract; at most 256 KiB of JSON' }),
  version: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'Of the contract; the newest of each moment without one',
    }),
  ),
  ...jobOptions,
};

const policies = {
  overlap: Type.Optional(
    Type.Enum([...overlaps], {
      type: 'string',
      description:
        'Where the run before has not ended: `skip` this one (the default), `queue` it all the same, or `replace` that one, which is cancelled',
    }),
  ),
  missed: Type.Optional(
    Type.Enum([...missedPolicies], {
      type: 'string',
      description:
        'Times that passed by more than a minute, since nothing ran or the clock was set: run `none`, the `last` (the default) or `all`',
    }),
  ),
  missed_within_s: Type.Optional(
    Type.Integer({
      minimum: 60,
      maximum: 2_592_000,
      description: 'Age beyond which none is made up for; a day by default',
    }),
  ),
};

/** A schedule as a caller puts it. */
export const ScheduleBody = Type.Object(
  { ...job, ...rule, ...policies },
  {
    additionalProperties: false,
    description: 'Jobs that are submitted by the clock',
    examples: [{ queue: 'acme.resize-image', payload: { width: 800 }, cron: '0 7 * * 1-5', zone: 'Europe/London' }],
  },
);
export type ScheduleBody = Static<typeof ScheduleBody>;

/** One time of a schedule that is over. */
export const ScheduleRunView = Type.Object(
  {
    at: Time('The time'),
    outcome: Type.Enum([...runOutcomes], {
      type: 'string',
      description:
        '`submitted`: there is a job. `skipped`: the run before had not ended. `missed`: passed over by the policy. `refused`: it could not be submitted',
    }),
    job_id: OptionalText('The job'),
    job_state: Type.Union([Type.Enum([...states], { type: 'string' }), Type.Null()], {
      description: 'State that the job is in; null where there is none, or none any more',
    }),
    reason: OptionalText('Why nothing was submitted; `by hand` for a run beside its times'),
  },
  { $id: 'ScheduleRun', title: 'ScheduleRun', description: 'A time of a schedule, and what became of it' },
);

export type ScheduleRunView = Static<typeof ScheduleRunView>;

/** Everything of the jobs of a schedule beside queue, version and payload. */
export const ScheduleOptions = Type.Object(jobOptions, {
  $id: 'ScheduleOptions',
  title: 'ScheduleOptions',
  description: 'Everything else of the jobs of a schedule',
});

/** A schedule as its owner sees it. */
export const ScheduleView = Type.Object(
  {
    name: ScheduleName,
    owner: Type.String({ description: 'Its owner' }),
    queue: job.queue,
    version: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Of the contract; null: the newest of each moment',
    }),
    payload: job.payload,
    cron: OptionalText('Its pattern; null where it has an interval'),
    every_ms: Type.Union([Type.Integer(), Type.Null()], { description: 'Its interval; null where it has a pattern' }),
    zone: Type.String({ description: 'Zone of the pattern' }),
    overlap: Type.Enum([...overlaps], { type: 'string' }),
    missed: Type.Enum([...missedPolicies], { type: 'string' }),
    missed_within_s: Type.Integer({ description: 'Age beyond which none is made up for' }),
    options: Type.Ref('ScheduleOptions', { description: 'Everything else of its jobs' }),
    made_by: Type.String({ description: 'Key or person who put it last' }),
    paused: Type.Boolean({ description: 'Whether it stands still' }),
    next_at: OptionalTime('When it runs next; null where no time comes any more'),
    last_at: OptionalTime('Newest of its times that is over'),
    last_job_id: OptionalText('Newest of its jobs'),
    last_run: Type.Optional(
      Type.Union([Type.Ref('ScheduleRun'), Type.Null()], {
        description: 'In lists: the newest of its times, and what became of it',
      }),
    ),
    made_at: Time('When it was made: intervals count from here'),
    changed_at: Time('When it was last changed'),
  },
  { $id: 'Schedule', title: 'Schedule', description: 'Jobs that are submitted by the clock' },
);
export type ScheduleView = Omit<Static<typeof ScheduleView>, 'options' | 'last_run'> & {
  readonly options: Static<typeof ScheduleOptions>;
  readonly last_run?: ScheduleRunView | null;
};

/** Rule whose times are asked for. */
export const RuleQuery = Type.Object({ cron: rule.cron, every_ms: rule.every_ms, zone: rule.zone });

/** The next times of a rule. */
export const RuleTimes = Type.Object(
  { next: Type.Array(Type.String({ format: 'date-time' }), { maxItems: 10, description: 'Its next ten times' }) },
  { title: 'RuleTimes', description: 'Times at which a schedule of this rule would run' },
);

/** Its next times and its past, beside the schedule itself. */
export const ScheduleDetail = Type.Object(
  {
    ...ScheduleView.properties,
    next: Type.Array(Type.String({ format: 'date-time' }), { maxItems: 10, description: 'Its next ten times' }),
    runs: Type.Array(Type.Ref('ScheduleRun'), {
      maxItems: 100,
      description: 'Its last hundred times, the newest first',
    }),
  },
  { $id: 'ScheduleDetail', title: 'ScheduleDetail', description: 'A schedule with its next times and its past' },
);
export type ScheduleDetail = ScheduleView & {
  readonly next: readonly string[];
  readonly runs: readonly ScheduleRunView[];
};
