import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { limitsOf } from '#src/access/limits/limits-known.ts';
import { admitWork } from '#src/access/quota.ts';
import type { FindReceiver } from '#src/http/queues/job-options.ts';
import { assertMayRead, mayReadWords } from '#src/http/queues/may-use-queues.ts';
import { principalOf } from '#src/http/request/guard.ts';
import { largeBodies } from '#src/http/request/large-bodies.ts';
import { pauseSchedule, removeSchedule, runNow } from '#src/jobs/schedules/change-schedule.ts';
import { MOST_SCHEDULES } from '#src/jobs/schedules/most-schedules.ts';
import { putSchedule } from '#src/jobs/schedules/put-schedule.ts';
import { lastRuns, listRuns, listSchedules, readSchedule, type Schedule } from '#src/jobs/schedules/schedule-row.ts';
import { checkRule, timesAfter } from '#src/jobs/schedules/times.ts';
import { assertShallow } from '#src/lib/assert-shallow.ts';
import { assertStorable } from '#src/lib/assert-storable.ts';
import { AppError } from '#src/lib/errors.ts';
import { callerName } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';
import { databaseNow } from '#src/system/database-now.ts';
import {
  RuleQuery,
  RuleTimes,
  ScheduleBody,
  ScheduleDetail,
  ScheduleName,
  ScheduleOptions,
  ScheduleRunView,
  ScheduleView,
} from './schedule-body.ts';
import { EVERY_OWNER, OwnerQuery, placeOf, readPlace, scheduleOwner } from './schedule-owner.ts';
import { assertOneRule, runView, scheduleView, wantedOf } from './schedule-view.ts';

const Params = Type.Object({ name: ScheduleName });
const PageQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Most of one page' }),
  after: Type.String({
    maxLength: 301,
    default: '',
    description: 'Place behind which the page begins: `next` of the page before',
  }),
  owner: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Owner whose schedules they are, `*` for all; you without it. Others need a key of an operator',
    }),
  ),
});
const ScheduleList = Type.Object({
  data: Type.Array(Type.Ref('Schedule'), { description: 'Schedules by owner and name' }),
  next: Type.Union([Type.String(), Type.Null()], {
    description: 'Value of `after` for the next page; null at the end',
  }),
});

const tags = ['schedules'];
const config = { scope: 'jobs.submit' } as const;

/** Routes of schedules: jobs that are submitted by the clock. */
export const scheduleRoutes: FastifyPluginAsyncTypebox<{
  context: Context;
  findReceiver: FindReceiver;
}> = async (app, { context, findReceiver }) => {
  // what Postgres would keep as another text, or not at all
  app.addHook('preHandler', async ({ body }) => assertStorable(body));
  app.addSchema(ScheduleOptions);
  app.addSchema(ScheduleRunView);
  app.addSchema(ScheduleView);
  app.addSchema(ScheduleDetail);

  const found = async (owner: string, name: string): Promise<Schedule> => {
    const schedule = await readSchedule(context, owner, name);
    if (schedule) return schedule;
    throw noSchedule(name);
  };

  app.get(
    '/v1/schedules',
    {
      onRequest: assertMayRead,
      schema: {
        tags,
        summary: 'List your schedules',
        description: mayReadWords,
        operationId: 'listSchedules',
        querystring: PageQuery,
        response: { 200: ScheduleList },
      },
    },
    async (request) => {
      const { limit, after } = request.query;
      const owner = scheduleOwner(principalOf(request), request.query.owner);
      const isWide = owner === EVERY_OWNER;
      const from = readPlace(after, owner);
      const rows = await listSchedules(context, { owner: isWide ? null : owner, after: from, limit: limit + 1 });
      const page = rows.slice(0, limit);
      const lastOf = await lastRuns(context, page);
      const item = (schedule: Schedule) => {
        const run = lastOf(schedule);
        return { ...scheduleView(schedule), last_run: run && runView(run) };
      };
      const end = rows.length > limit ? page.at(-1) : undefined;
      return { data: page.map(item), next: end ? placeOf(end, isWide) : null };
    },
  );

  app.get(
    '/v1/schedule-times',
    {
      onRequest: assertMayRead,
      schema: {
        tags,
        summary: 'The next ten times of a rule',
        description: `Checks a pattern, or an interval from now, before a schedule has it. ${mayReadWords}`,
        operationId: 'readScheduleTimes',
        querystring: RuleQuery,
        response: { 200: RuleTimes },
      },
    },
    async (request) => {
      const { cron, every_ms: everyMs = null, zone = 'UTC' } = request.query;
      assertOneRule(request.query, 'query');
      const now = await databaseNow(context)();
      const rule = { cron: cron?.trim() ?? null, everyMs, zone, from: now };
      checkRule(rule, 'query');
      return { next: timesAfter(rule, now, 10).map((at) => at.toISOString()) };
    },
  );

  app.put(
    '/v1/schedules/:name',
    {
      ...largeBodies(context),
      config: { ...config, exactNumbers: '' },
      preValidation: async ({ body }) => assertShallow(body),
      schema: {
        tags,
        summary: 'Make a schedule, or change it',
        description: `A run's idempotency key is its schedule and its time, so none is submitted twice. At most ${MOST_SCHEDULES} to one owner where no limit is set: GET /v1/limits/mine shows yours. The same again changes nothing but the time of the change.`,
        operationId: 'putSchedule',
        params: Params,
        body: ScheduleBody,
        response: {
          200: Type.Ref('Schedule', { description: 'It was there' }),
          201: Type.Ref('Schedule', { description: 'A new one' }),
        },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      const { webhook } = request.body;
      const wanted = wantedOf(request.body, {
        owner: principal.owner,
        name: request.params.name,
        madeBy: callerName(principal),
        keyId: principal.keyId,
        receiver: webhook ? await findReceiver(context, principal, webhook) : null,
      });
      const { most } = await limitsOf(context).of('schedules', principal);
      const { schedule, created } = await putSchedule(context, wanted, most);
      return await reply.code(created ? 201 : 200).send(scheduleView(schedule));
    },
  );

  app.get(
    '/v1/schedules/:name',
    {
      onRequest: assertMayRead,
      schema: {
        tags,
        summary: 'A schedule with its next ten times and its past',
        description: mayReadWords,
        operationId: 'readSchedule',
        params: Params,
        querystring: OwnerQuery,
        response: { 200: Type.Ref('ScheduleDetail') },
      },
    },
    async (request) => {
      const schedule = await found(scheduleOwner(principalOf(request), request.query.owner), request.params.name);
      const from = { ...schedule, from: schedule.madeAt };
      const runs = await listRuns(context, schedule, 100);
      return {
        ...scheduleView(schedule),
        next: schedule.paused ? [] : timesAfter(from, await databaseNow(context)(), 10).map((at) => at.toISOString()),
        runs: runs.map(runView),
      };
    },
  );

  app.delete(
    '/v1/schedules/:name',
    {
      config,
      schema: {
        tags,
        summary: 'Remove a schedule',
        description: 'Jobs that it has submitted stay.',
        operationId: 'removeSchedule',
        params: Params,
        querystring: OwnerQuery,
        response: { 204: Type.Null({ description: 'It is gone' }) },
      },
    },
    async (request, reply) => {
      const { name } = request.params;
      const owner = scheduleOwner(principalOf(request), request.query.owner);
      if (!(await removeSchedule(context, { owner, name }))) throw noSchedule(name);
      return await reply.code(204).send(null);
    },
  );

  for (const [verb, paused, description] of [
    ['pause', true, 'None of its times runs until it is resumed.'],
    ['resume', false, 'It goes on with its next time; none that has passed meanwhile is made up for.'],
  ] as const)
    app.post(
      `/v1/schedules/:name/${verb}`,
      {
        config,
        schema: {
          tags,
          summary: paused ? 'Pause a schedule' : 'Resume a schedule',
          description,
          operationId: `${verb}Schedule`,
          params: Params,
          querystring: OwnerQuery,
          response: { 200: Type.Ref('Schedule') },
        },
      },
      async (request) => {
        const { name } = request.params;
        const owner = scheduleOwner(principalOf(request), request.query.owner);
        const schedule = await pauseSchedule(context, { owner, name }, paused);
        if (!schedule) throw noSchedule(name);
        return scheduleView(schedule);
      },
    );

  app.post(
    '/v1/schedules/:name/run',
    {
      config,
      schema: {
        tags,
        summary: 'Run a schedule now',
        description: 'A job beside its times, whatever its policies; also of a paused one.',
        operationId: 'runSchedule',
        params: Params,
        response: {
          202: Type.Object(
            { job_id: Type.String({ format: 'uuid', description: 'The job' }) },
            { description: 'It is submitted' },
          ),
        },
      },
    },
    async (request, reply) => {
      const schedule = await found(principalOf(request).owner, request.params.name);
      const { job } = await runNow(context, schedule, admitWork(context));
      return await reply.code(202).send({ job_id: job.id });
    },
  );
};

function noSchedule(name: string): AppError {
  return new AppError(
    'not_found',
    `expected the name of a schedule of yours (GET /v1/schedules lists them), got ${name}.`,
    {
      field: 'path.name',
      value: name,
    },
  );
}
