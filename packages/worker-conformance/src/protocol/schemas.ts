/** JSON Schema, as far as the messages of workers need it. */
export type Schema = Readonly<Record<string, unknown>>;

const text = (more: Schema = {}): Schema => ({ type: 'string', ...more });
const whole = (minimum: number, maximum: number): Schema => ({ type: 'integer', minimum, maximum });
const uuid = text({ format: 'uuid' });
const anything: Schema = {};
const record: Schema = { type: 'object', additionalProperties: anything };

/** An object of these members and no others. */
function object(members: Readonly<Record<string, Schema>>, optional: Readonly<Record<string, Schema>> = {}): Schema {
  return {
    type: 'object',
    required: Object.keys(members),
    properties: { ...members, ...optional },
    additionalProperties: false,
  };
}

const largestAttempt = 2_147_483_647;
const longestDelay = 315_360_000_000;
const name = text({ minLength: 1, maxLength: 200, pattern: '^[^\\u0000-\\u001f]+$' });
const after = whole(0, 10_000);
const constant = (value: string): Schema => text({ const: value });

const waits: readonly Schema[] = [
  object({ kind: constant('sleep'), name, until: text({ format: 'date-time' }) }),
  object({ kind: constant('signal'), name }, { timeout_ms: whole(0, 3_162_240_000_000) }),
  object({ kind: constant('result'), name, child: uuid }),
];

const failure = object(
  { message: text({ minLength: 1, maxLength: 4_000 }) },
  { code: text({ pattern: '^[a-z][a-z0-9_]{0,63}$' }), details: record },
);

/** Members of each kind of report beside those that name its attempt: what it must say, and what it may. */
const reports: Readonly<Record<string, readonly [must: Record<string, Schema>, may?: Record<string, Schema>]>> = {
  progress: [{ data: anything }, { key: text({ minLength: 1, maxLength: 100 }) }],
  log: [
    { level: text({ enum: ['debug', 'info', 'warn', 'error'] }), message: text({ maxLength: 10_000 }) },
    { data: record },
  ],
  effect_intended: [{ name, request: anything }],
  effect_done: [
    { name, outcome: anything },
    // a cost that is none refuses its own report alone
    { external_id: text({ maxLength: 500 }), cost_usd: anything },
  ],
  effect_failed: [{ name, message: text({ minLength: 1, maxLength: 4_000 }) }],
  effect_unknown: [{ name }],
  step: [{ name, after, value: anything }],
  submit: [
    { name, after, queue: text({ minLength: 3, maxLength: 100 }), payload: anything },
    {
      version: whole(1, 1_000_000),
      delay_ms: whole(0, longestDelay),
      delay: { anyOf: [whole(0, longestDelay), text({ maxLength: 20, pattern: '^[0-9]+(\\.[0-9]+)?(ms|s|m|h|d)$' })] },
      priority: whole(0, 1_000),
      metadata: { ...record, maxProperties: 50 },
      unique: object({
        key: text({ minLength: 1, maxLength: 255 }),
        while: text({ enum: ['queued', 'unfinished', 'forever'] }),
        conflict: text({ enum: ['return', 'replace', 'refuse'] }),
      }),
    },
  ],
  suspended: [{ on: { anyOf: waits }, after }],
  succeeded: [{ result: anything }],
  failed: [{ error: failure }, { retryable: { type: 'boolean' } }],
  released: [{}],
};

/** The schema of each kind of report. */
export const reportSchemas: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries(reports).map(([type, [must, may]]) => [
    type,
    object({ job: uuid, attempt: whole(1, largestAttempt), token: uuid, type: constant(type), ...must }, may),
  ]),
);

/** One report, of whatever kind. */
export const reportSchema: Schema = { anyOf: Object.values(reportSchemas) };

const listOf = (items: Schema): Schema => object({ reports: { type: 'array', minItems: 1, maxItems: 1_000, items } });

/** A list of reports, whatever each is: each is looked at by itself. */
export const reportListSchema = listOf(anything);

/** The body of each request of a worker. */
export const bodySchemas = {
  register: object(
    {
      queues: {
        type: 'array',
        minItems: 1,
        maxItems: 100,
        items: object(
          { name: text({ minLength: 3, maxLength: 100 }) },
          { versions: { type: 'array', minItems: 1, maxItems: 50, items: whole(1, 1_000_000) } },
        ),
      },
      capacity: whole(1, 1_000),
    },
    { name: text({ minLength: 1, maxLength: 100 }), sdk: text({ maxLength: 100 }) },
  ),
  poll: object(
    {
      credits: whole(0, 1_000),
      jobs: { type: 'array', maxItems: 2_000, items: object({ id: uuid, attempt: whole(1, largestAttempt) }) },
    },
    { wait_ms: whole(0, 60_000) },
  ),
  report: listOf(reportSchema),
} as const;
