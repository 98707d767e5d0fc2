import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'slonik';
import { generate } from '#queues/providers.ts';
import { decideApproval } from '#src/governance/approvals/decide-approval.ts';
import { openBudget, reserve, settle } from '#src/governance/budgets/budgets.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { insertStudioJob, readPlan } from '#src/studio/model/store.ts';
import { sealExecution } from '#src/studio/seal/seal-execution.ts';
import type { Context } from '#src/system/context.ts';
import type { TestApi } from '#test/http/api.ts';

type Headers = Readonly<Record<string, string>>;

/** Asks a route of the studio, and gives the output of its envelope. */
export async function outputOf(api: TestApi, headers: Headers, path: string, payload?: object) {
  const url = `/api/studio/v1/${path}`;
  const response = await api.app.inject({
    method: payload ? 'POST' : 'GET',
    url,
    headers,
    ...(payload && { payload }),
  });
  if (response.statusCode >= 300) throw new Error(`${path}: ${response.statusCode} ${response.body}`);
  return response.json<{ output: Record<string, Record<string, unknown>> }>().output;
}

export interface Rendered {
  readonly brief: string;
  readonly plan: string;
  readonly approval: string;
  readonly render: string;
  readonly call: string;
  readonly asset: string;
}

/**
 * A brief, its plan, the decision of a person, and a live render that has ended: accepted by the routes; what its workers
 * would write (one call that cost 0.02 dollars, one film, the receipt) is written through the same functions.
 */
export async function renderedWork(api: TestApi, headers: Headers, owner = 'owner-1'): Promise<Rendered> {
  const { context } = api;
  const { brief } = await outputOf(api, headers, 'brief', {
    mode: 'publish',
    prompt: 'A harbour wakes',
    title: 'Harbour',
  });
  const planned = await outputOf(api, headers, 'plan', { briefId: brief?.['id'], budgetUsd: 1 });
  const plan = String(planned['plan']?.['id']);
  const approval = String(planned['approval']?.['id']);
  await grant(context, approval, owner);
  const live = await outputOf(api, headers, 'render', { planId: plan, dryRun: false, approvalRef: approval });
  const render = String(live['job']?.['id']);
  const call = await callOf(context, owner, plan, render);
  const asset = await assetOf(context, owner, call);
  await end(context, call);
  await end(context, render);
  const job = await readJob(context, render);
  const kept = await readPlan(context, plan, owner);
  if (!job || !kept) throw new Error('the render is gone');
  await sealExecution(context, { job, goal: kept.plan.prompt, plan: kept.plan, outcome: 'succeeded' });
  return { brief: String(brief?.['id']), plan, approval, render, call, asset };
}

export async function grant(context: Context, approval: string, owner: string): Promise<void> {
  await decideApproval(
    context,
    approval,
    {
      owner,
      operator: false,
      email: 'ada@example.com',
      issuer: 'https://id.example.com',
      subject: 'ada',
      human: null,
    },
    { decision: 'grant' },
  );
}

/** A call of a provider that a render has asked for, and that nobody has begun. */
export async function askedCall(context: Context, owner: string, plan: string, render: string): Promise<string> {
  const { job } = await submit(context, generate, {
    principal: { owner },
    parentId: render,
    payload: {
      capability: 'video.generate',
      request: { prompt: 'A harbour wakes' },
      route: [{ provider: 'local-animatic', quoted: 10_000 }],
      budgets: [`job:${render}`],
      surface: 'studio',
      keyId: null,
      name: 'video-16x9',
    },
  });
  await insertStudioJob(context.db, { id: job.id, owner, kind: 'call', plan, parent: render });
  return job.id;
}

async function callOf(context: Context, owner: string, plan: string, render: string): Promise<string> {
  const job = await askedCall(context, owner, plan, render);
  await openBudget(context.db, `job:${render}`, 1_000_000);
  const name = { job, provider: 'local-animatic' };
  await reserve(context, {
    ...name,
    owner,
    keyId: null,
    surface: 'studio',
    capability: 'video.generate',
    budgets: [`job:${render}`],
    quoted: 10_000,
  });
  await settle(context, name, { cost: 20_000, externalId: null });
  return job;
}

async function assetOf({ db }: Context, owner: string, job: string): Promise<string> {
  const id = randomUUIDv7();
  await db.query(sql.unsafe`
    insert into assets (id, owner, job, name, kind, sha256, size, media_type, width, height, duration, capability, provider, provenance)
    values (${id}, ${owner}, ${job}, 'video-16x9', 'video', decode(${'ab'.repeat(32)}, 'hex'), 1000, 'video/mp4', 1280, 720, 6,
      'video.generate', 'local-animatic', '{"kind": "none", "note": ""}')`);
  return id;
}

async function end({ db }: Context, job: string): Promise<void> {
  await db.query(sql.unsafe`
    update jobs set state = 'succeeded', attempt = 1, started_at = now(), finished_at = now() where id = ${job}`);
}
