import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { tierNames } from '#src/access/keys/tiers.ts';
import { limitKinds, limitScopes, settingOf } from '#src/access/limits/limit-kinds.ts';
import { type Limit, type LimitName, readLimits, removeLimit, setLimit } from '#src/access/limits/limit-rows.ts';
import { limitsOf } from '#src/access/limits/limits-known.ts';
import { refusalsOf } from '#src/access/limits/refusals.ts';
import { principalOf } from '#src/http/request/guard.ts';
import { assertStorable } from '#src/lib/assert-storable.ts';
import { AppError } from '#src/lib/errors.ts';
import { callerName } from '#src/lib/principal.ts';
import { Time } from '#src/lib/validation/schema-parts.ts';
import type { Context } from '#src/system/context.ts';

const Kind = Type.Enum([...limitKinds], {
  type: 'string',
  description:
    '`queue_depth`: unfinished jobs in one queue. The others: requests in a minute and in a day, from the first one on',
});
const Scope = Type.Enum([...limitScopes], {
  type: 'string',
  description: 'Whose: of one key, of each caller of an owner, of each caller of a tier, of each caller',
});
const Most = Type.Integer({ minimum: 0, maximum: 10_000_000_000, description: 'Most that is let in' });
const Subject = Type.String({
  maxLength: 200,
  description: 'Id of the key, the owner, or the tier (`standard`, `high`); empty for `default`',
});

const LimitView = Type.Object(
  {
    kind: Kind,
    scope: Scope,
    subject: Subject,
    most: Most,
    set_by: Type.String({ description: 'Key or person who set it' }),
    set_at: Time('When it was set'),
  },
  { $id: 'Limit', title: 'Limit', description: 'A limit as it was set' },
);

const LimitBody = Type.Object(
  { kind: Kind, scope: Scope, subject: Type.Optional(Subject), most: Most },
  {
    additionalProperties: false,
    description: 'A limit, and how much it lets in',
    examples: [{ kind: 'queue_depth', scope: 'owner', subject: 'acme', most: 50_000 }],
  },
);
const LimitQuery = Type.Object({ kind: Kind, scope: Scope, subject: Type.Optional(Subject) });

const OwnLimits = Type.Object({
  data: Type.Array(
    Type.Object({
      kind: Kind,
      most: Most,
      limit_of: Type.Enum([...limitScopes, 'setting'], {
        type: 'string',
        description: 'Scope of the limit that decides; `setting` where none is set for the caller',
      }),
    }),
    { description: 'One of each kind' },
  ),
});

const LimitList = Type.Object({
  data: Type.Array(Type.Ref('Limit'), { description: 'In the order of kind, scope and subject' }),
  next: Type.Union([Type.String(), Type.Null()], { description: '`after` of the next page; null on the last' }),
  settings: Type.Array(Type.Object({ kind: Kind, tier: Type.String({ description: 'The tier' }), most: Most }), {
    description: 'Bounds where no limit is set',
  }),
});

/** Owners that one answer names. */
const MOST_REFUSED = 20;
const RefusalList = Type.Object({
  data: Type.Array(
    Type.Object({
      owner: Type.String({ description: 'Whose requests or jobs were refused' }),
      policy: Type.String({ description: 'The limit: whose it is, and what it bounds', examples: ['owner-minute'] }),
      queue: Type.Union([Type.String(), Type.Null()], { description: 'Queue of the jobs; null for requests' }),
      group: Type.Union([Type.String(), Type.Null()], {
        description: 'Group of the jobs, which is their owner where they name none; null for requests',
      }),
      refused: Type.Integer({ minimum: 1, description: 'Number of refusals' }),
    }),
    { maxItems: MOST_REFUSED, description: 'The most refused first' },
  ),
});

const tags = ['limits'];

/** Limits of callers: each reads its own, operators set those of all. */
export const limitRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  // what Postgres would keep as another text, or not at all
  app.addHook('preHandler', async ({ body }) => assertStorable(body));
  app.addSchema(LimitView);

  app.get(
    '/v1/limits/mine',
    {
      schema: {
        tags,
        summary: 'Limits that hold for the caller now',
        operationId: 'readOwnLimits',
        response: { 200: OwnLimits },
      },
    },
    async (request) => {
      const caller = principalOf(request);
      const known = limitsOf(context);
      const of = async (kind: (typeof limitKinds)[number]) => {
        const { most, scope } = await known.of(kind, caller);
        return { kind, most, limit_of: scope };
      };
      return { data: await Promise.all(limitKinds.map(of)) };
    },
  );

  app.get(
    '/v1/limits',
    {
      config: { operator: true },
      schema: {
        tags,
        summary: 'List limits that are set',
        description: 'For operators.',
        operationId: 'listLimits',
        querystring: Type.Object({
          limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 100, description: 'Limits on a page' }),
          after: Type.Optional(Type.String({ maxLength: 300, description: '`next` of the page before' })),
        }),
        response: { 200: LimitList },
      },
    },
    async (request) => {
      const { limit: many, after } = request.query;
      const found = await readLimits(context, after === undefined ? null : nameOf(after), many + 1);
      const page = found.slice(0, many);
      const last = found.length > many ? page.at(-1) : undefined;
      return {
        data: page.map(limitView),
        next: last ? `${last.kind} ${last.scope} ${last.subject}` : null,
        settings: limitKinds.flatMap((kind) =>
          tierNames.map((tier) => ({ kind, tier, most: settingOf(context.config, kind, tier) })),
        ),
      };
    },
  );

  app.get(
    '/v1/limits/refusals',
    {
      config: { operator: true },
      schema: {
        tags,
        summary: 'Whom limits refuse',
        description:
          'For operators: refusals of this hour and the one before, by owner and limit; those of jobs also by queue and group.',
        operationId: 'listLimitRefusals',
        response: { 200: RefusalList },
      },
    },
    async () => ({ data: (await refusalsOf(context).read()).slice(0, MOST_REFUSED) }),
  );

  app.put(
    '/v1/limits',
    {
      config: { operator: true },
      schema: {
        tags,
        summary: 'Set a limit, or change it',
        description:
          'For operators. The most specific limit of a caller decides: its key, its owner, its tier, the default, then the settings. Every process goes by a change within two seconds.',
        operationId: 'setLimit',
        body: LimitBody,
        response: { 200: Type.Ref('Limit') },
      },
    },
    async (request) => {
      const { most, ...named } = request.body;
      const limit = checked(named, 'body');
      if (most === 0 && limit.kind !== 'queue_depth')
        throw wrong('body.most', 'at least one request, so that it can be changed again', most);
      const set = await setLimit(context, { ...limit, most, setBy: callerName(principalOf(request)) });
      await limitsOf(context).refresh();
      return limitView(set);
    },
  );

  app.delete(
    '/v1/limits',
    {
      config: { operator: true },
      schema: {
        tags,
        summary: 'Remove a limit',
        description: 'For operators. The next one in the order of scopes holds, in the end the settings.',
        operationId: 'removeLimit',
        querystring: LimitQuery,
        response: { 204: Type.Null({ description: 'It is removed' }) },
      },
    },
    async (request, reply) => {
      await removeLimit(context, checked(request.query, 'query'), callerName(principalOf(request)));
      await limitsOf(context).refresh();
      return await reply.code(204).send(null);
    },
  );
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Subjects that each scope takes. */
const subjects: Readonly<
  Record<LimitName['scope'], { readonly fits: (text: string) => boolean; readonly is: string }>
> = {
  key: { fits: (text) => UUID.test(text), is: 'the id of a key' },
  owner: { fits: (text) => text !== '' && text.isWellFormed() && !text.includes('\0'), is: 'an owner' },
  plan: { fits: (text) => tierNames.some((tier) => tier === text), is: `one of ${tierNames.join(', ')}` },
  default: { fits: (text) => text === '', is: 'none' },
};

/** @throws AppError `invalid_request` for a subject that the scope does not have */
function checked({ subject = '', ...named }: Static<typeof LimitQuery>, part: 'body' | 'query'): LimitName {
  const { fits, is } = subjects[named.scope];
  if (fits(subject)) return { ...named, subject };
  throw wrong(`${part}.subject`, `${is} for the scope ${named.scope}`, subject);
}

/** Reads `next` of a page. @throws AppError `invalid_request` */
function nameOf(after: string): LimitName {
  const [kindText, scopeText, ...rest] = after.split(' ');
  const kind = limitKinds.find((one) => one === kindText);
  const scope = limitScopes.find((one) => one === scopeText);
  if (kind && scope) return { kind, scope, subject: rest.join(' ') };
  throw wrong('query.after', '`next` of the page before', after);
}

function wrong(field: string, expected: string, value: unknown): AppError {
  const message = `${field}: expected ${expected}, got ${JSON.stringify(value)}.`;
  return new AppError('invalid_request', message, { field, value });
}

function limitView({ kind, scope, subject, most, setBy, setAt }: Limit): Static<typeof LimitView> {
  return { kind, scope, subject, most, set_by: setBy, set_at: setAt.toISOString() };
}
