import { setTimeout as sleep } from 'node:timers/promises';
import Type, { type Static } from 'typebox';
import { misfit } from '#queues/misfit.ts';
import { AssetRef, type generate } from '#queues/providers.ts';
import { nameCall } from '#src/governance/budgets/budgets.ts';
import { isOver } from '#src/governance/calls/paying-call.ts';
import { type EffectAdapter, EffectRefused, runEffect } from '#src/jobs/effects/effects.ts';
import type { Sent } from '#src/jobs/effects/intents.ts';
import { backoffMs } from '#src/lib/async/backoff.ts';
import { AppError, describeError } from '#src/lib/errors.ts';
import { soundsIn } from '#src/providers/adapters/in-format.ts';
import { effectNames } from '#src/providers/calls/paying-effects.ts';
import type { Adapter, Generated, InputAsset, ProviderCall } from '#src/providers/catalogue/adapter.ts';
import type { Provider } from '#src/providers/catalogue/catalogue.ts';
import { soundType } from '#src/providers/catalogue/sound-formats.ts';
import type { Run } from '#workers/run/processor.ts';
import { keepProduced, NotKept } from './keep-produced.ts';
import type { Parts } from './parts.ts';

/** Stored outcome of a call that was made. */
const Made = Type.Object({
  assets: Type.Array(AssetRef),
  /** Millionths of a dollar; null where the provider does not say. */
  billed: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
  text: Type.Optional(Type.String()),
  notes: Type.Optional(Type.Array(Type.String())),
  /** Why what was made, and paid, was not kept. */
  lost: Type.Optional(
    Type.Object({
      code: Type.Unsafe<AppError['code']>({ type: 'string' }),
      message: Type.String(),
      details: Type.Optional(Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' })),
    }),
  ),
});
/** Assets that a provider has made. */
export type MadeAssets = Static<typeof Made>;

export interface Making {
  readonly parts: Parts;
  readonly run: Run<typeof generate>;
  readonly provider: Provider;
  readonly adapter: Adapter;
  readonly inputs: ReadonlyMap<string, InputAsset>;
}

/** Name of the effect that costs. */
export function payingEffect({ adapter, provider: { id } }: Pick<Making, 'adapter' | 'provider'>): string {
  return adapter.kind === 'exchange' ? effectNames.exchange(id) : effectNames.submission(id);
}

const FETCH_TRIES = 3;
const FETCH_PAUSE_MS = 500;
/** A cancellation is sent after the job's own signal was aborted. */
const CANCEL_MS = 10_000;

/**
 * Has one provider make what a job asks for, at most once, and keeps it. `made` is null where that happened and nothing
 * is known of what was made: a human has said so.
 *
 * @throws AppError `outcome_unknown` when it may have happened and that is not known; NotKept; what the adapter throws.
 */
export async function make(
  making: Making,
): Promise<{ readonly made: MadeAssets | null; readonly externalId: string | null }> {
  const { adapter } = making;
  const { externalId, outcome } = await (adapter.kind === 'exchange'
    ? exchange(making, adapter)
    : task(making, adapter));
  return { made: misfit(Made, outcome) ? null : (outcome as MadeAssets), externalId };
}

async function exchange(making: Making, adapter: Extract<Adapter, { kind: 'exchange' }>): Promise<Sent> {
  const { run, provider } = making;
  const kind = adapter.repeat(provider);
  const send = async (_request: unknown, key: string, signal: AbortSignal): Promise<Sent> => {
    const generated = await sentOnce(making, key, signal, async (call) => await adapter.generate(call));
    return await keep(making, generated, kind === 'neither');
  };
  return await runEffect(
    run.context,
    run.job,
    effectNames.exchange(provider.id),
    requestOf(run),
    { kind, send },
    run.signal,
  );
}

async function task(making: Making, adapter: Extract<Adapter, { kind: 'task' }>): Promise<Sent> {
  const { run, provider } = making;
  const { context, job, signal } = run;
  let taskId: string | null = null;
  try {
    ({ externalId: taskId } = await submit(making, adapter));
    if (taskId === null) return { externalId: null, outcome: null };
    const id = taskId;
    await nameCall(context, { job: job.id, provider: provider.id }, id);
    // only the submission costs, so this may be repeated as often as it takes
    const send = async (_request: unknown, key: string, inner: AbortSignal) =>
      await keep(making, await fetchPatiently(adapter, callOf(making, key, inner), id), false);
    return await runEffect(
      context,
      job,
      effectNames.fetching(provider.id),
      { task: id },
      { kind: 'idempotent', send },
      signal,
    );
  } catch (error) {
    // its result is not needed any more: the job is cancelled, or another provider is called. A process that stops while it
    // looks meets a cut look, and leaves the task to the next
    if (isOver(signal) || (!signal.aborted && isUnavailable(error))) await cancelTask(making, adapter, taskId);
    throw error;
  }
}

async function submit(making: Making, adapter: Extract<Adapter, { kind: 'task' }>): Promise<Sent> {
  const { run, provider } = making;
  const submitted = (externalId: string): Sent => ({ externalId, outcome: {} });
  const send = async (_request: unknown, key: string, signal: AbortSignal) =>
    submitted(await sentOnce(making, key, signal, async (call) => await adapter.submit(call)));
  const { find, visibilityDelayMs = 0 } = adapter;
  const effect: EffectAdapter<unknown> = find
    ? {
        kind: 'queryable',
        visibilityDelayMs,
        send,
        find: async (key, signal) => {
          const found = await find(callOf(making, key, signal));
          return found === null ? null : submitted(found);
        },
      }
    : { kind: provider.idempotent === true ? 'idempotent' : 'neither', send };
  return await runEffect(run.context, run.job, effectNames.submission(provider.id), requestOf(run), effect, run.signal);
}

/**
 * A call that costs. What fails before its request leaves has done nothing there, whatever it is.
 *
 * @throws EffectRefused for that; what the adapter throws
 */
async function sentOnce<T>(
  making: Making,
  key: string,
  signal: AbortSignal,
  send: (call: ProviderCall) => Promise<T>,
): Promise<T> {
  let hasLeft = false;
  try {
    return await send({ ...callOf(making, key, signal), onSend: () => (hasLeft = true) });
  } catch (error) {
    if (hasLeft || signal.aborted || error instanceof EffectRefused) throw error;
    if (error instanceof AppError) throw new EffectRefused(error.code, error.message, error.details, error);
    const { run, provider } = making;
    run.context.log.error({ err: error, job: run.job.id, provider: provider.id }, 'a call could not be prepared');
    const message = `What ${provider.id} needs for this call could not be prepared here; nothing was sent.`;
    throw new EffectRefused('unavailable', message, { provider: provider.id }, error);
  }
}

/**
 * Stores the products as assets. Of a provider that would be paid twice for a second try, products that could not be
 * stored are lost, and that is its outcome.
 */
async function keep({ parts, run, provider }: Making, generated: Generated, isOnce: boolean): Promise<Sent> {
  const { billed, text, notes = [], externalId } = generated;
  const outcome = { billed, ...(text !== undefined && { text }), ...(notes.length > 0 && { notes: [...notes] }) };
  try {
    const assets = await keepProduced(parts, run, provider.id, await inFormat(run, generated));
    return { externalId, outcome: { ...outcome, assets } satisfies Static<typeof Made> };
  } catch (error) {
    if (!isOnce || !(error instanceof NotKept)) throw error;
    const lost = describeError(error.cause);
    return { externalId, outcome: { ...outcome, assets: [], lost } satisfies Static<typeof Made> };
  }
}

/** Converts the products into the requested format. @throws NotKept */
async function inFormat({ payload: { request }, signal }: Making['run'], generated: Generated): Promise<Generated> {
  const wanted = soundType(request.mediaType);
  if (wanted === null) return generated;
  return await soundsIn(generated, wanted, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new NotKept(`the sound could not be converted to ${wanted}`, { cause: error });
  });
}

async function fetchPatiently(
  adapter: Extract<Adapter, { kind: 'task' }>,
  call: ProviderCall,
  taskId: string,
): Promise<Generated> {
  for (let tries = 1; ; tries++) {
    try {
      return await adapter.fetch(call, taskId);
    } catch (error) {
      if (!isUnavailable(error) || tries === FETCH_TRIES || call.signal.aborted) throw error;
      await sleep(backoffMs(tries, FETCH_PAUSE_MS, 10_000), undefined, { signal: call.signal });
    }
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable' && !(error instanceof EffectRefused);
}

async function cancelTask(
  making: Making,
  adapter: Extract<Adapter, { kind: 'task' }>,
  known: string | null,
): Promise<void> {
  const { run, provider } = making;
  const call = callOf(making, `${run.job.id}.${effectNames.submission(provider.id)}`, AbortSignal.timeout(CANCEL_MS));
  try {
    const taskId = known ?? (await adapter.find?.(call)) ?? null;
    if (taskId !== null) await adapter.cancel(call, taskId);
  } catch (error) {
    run.context.log.warn({ err: error, job: run.job.id, provider: provider.id }, 'a task could not be cancelled');
  }
}

/** Kind of recovery, after a break, of a call that costs. */
export function repeatOf({ adapter, provider }: Pick<Making, 'adapter' | 'provider'>): EffectAdapter<unknown>['kind'] {
  if (adapter.kind === 'exchange') return adapter.repeat(provider);
  if (provider.idempotent === true) return 'idempotent';
  return adapter.find ? 'queryable' : 'neither';
}

function callOf({ run, provider, inputs }: Making, key: string, signal: AbortSignal): ProviderCall {
  const { context, threads, payload, emit } = run;
  const { capability, request } = payload;
  const progress = (stage: string, fraction?: number) => emit({ stage, ...(fraction !== undefined && { fraction }) });
  return { context, threads, provider, capability, request, inputs, key, signal, progress };
}

function requestOf({ payload: { capability, request } }: Run<typeof generate>) {
  return { capability, request };
}
