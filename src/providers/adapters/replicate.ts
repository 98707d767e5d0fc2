import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { AppError } from '#src/lib/errors.ts';
import { endedCall } from '#src/providers/calls/call-ends.ts';
import type { Adapter, ProviderCall } from '#src/providers/catalogue/adapter.ts';
import { askVendor, assertTaken, readJson, spoken } from '#src/providers/http/vendor-http.ts';
import { offerOf } from '#src/providers/routing/quote.ts';
import { findTask } from '#src/providers/tasks/find-task.ts';
import { type Look, pollTask } from '#src/providers/tasks/poll-task.ts';
import { type FieldNames, taskInput } from '#src/providers/tasks/task-input.ts';
import { generatedFrom } from '#src/providers/tasks/task-output.ts';
import { webhookAddress } from '#src/providers/tasks/webhook-address.ts';

/** Longest time in seconds that one look may wait there for the task to end. */
const WAIT_SECONDS = 20;

const fieldNames: FieldNames = {
  prompt: 'prompt',
  aspect: 'aspect_ratio',
  seconds: 'duration',
  resolution: null,
  voice: 'voice',
  language: 'language',
  count: 'num_outputs',
  image: 'image',
  images: 'images',
  video: 'video',
  audio: 'audio',
  narration: 'narration',
  music: 'music',
  mask: 'mask',
};

const Prediction = Type.Object({
  id: Type.String({ pattern: '^[\\w-]{1,200}$' }),
  status: Type.String(),
  output: Type.Optional(Type.Unknown()),
  error: Type.Optional(Type.Unknown()),
});
type Prediction = Static<typeof Prediction>;
const Predictions = Compile(Prediction);

const running: Readonly<Record<string, string>> = { starting: 'queued', processing: 'generating' };

/** Words by which models say that they do not make something. */
const unwanted = /nsfw|safety|sensitive|content policy|flagged|moderat|prohibited/i;

/**
 * Adapter of Replicate's HTTP API. A prediction is created without waiting, so that its id is known as soon as
 * possible; then it is looked at with `Prefer: wait`, which servers that know it answer when the prediction ends.
 *
 * @see https://replicate.com/docs/reference/http
 */
export const replicateAdapter: Adapter = {
  kind: 'task',
  submit: async (call) => {
    const webhook = webhookAddress(call);
    const { path, version } = targetOf(offerOf(call.provider, call.capability).model);
    const answer = await askVendor(call, {
      method: 'POST',
      path,
      headers: { prefer: 'respond-async', 'idempotency-key': call.key },
      body: {
        ...(version !== undefined && { version }),
        input: await taskInput(call, fieldNames),
        ...(webhook !== null && { webhook, webhook_events_filter: ['start', 'completed'] }),
      },
    });
    assertTaken(call, answer);
    return readJson(call, answer, Predictions).id;
  },
  find: findTask,
  visibilityDelayMs: 0,
  fetch: async (call, taskId) => {
    const cancel = async () => await cancelPrediction(call, taskId);
    const output = await pollTask(call, async (timed) => await look(timed, taskId), cancel);
    return await generatedFrom(call, taskId, output);
  },
  cancel: cancelPrediction,
};

/** `owner/name` is an official model; `owner/name:version`, or a bare version, one version of any. */
function targetOf(model: string): { path: string; version?: string } {
  if (/^[\w.-]+\/[\w.-]+$/.test(model)) return { path: `/models/${model}/predictions` };
  return { path: '/predictions', version: model };
}

async function look(call: ProviderCall, taskId: string): Promise<Look<unknown>> {
  const answer = await askVendor(call, {
    method: 'GET',
    path: `/predictions/${encodeURIComponent(taskId)}`,
    headers: { prefer: `wait=${WAIT_SECONDS}` },
  });
  // while it is looked at, a refusal is one of the look
  if (answer.status !== 200) throw lost(call, answer.status);
  const prediction = readJson(call, answer, Predictions);
  const stage = running[prediction.status];
  if (stage !== undefined) return { over: false, stage };
  if (prediction.status === 'succeeded') return { over: true, value: prediction.output };
  throw endOf(call, prediction);
}

/** Builds the error of a prediction that made nothing. */
function endOf({ provider }: ProviderCall, { status, error }: Prediction): AppError {
  const said = typeof error === 'string' && error !== '' ? `: ${spoken(provider, error)}` : '';
  const details = { provider: provider.id, final: true };
  if (status === 'aborted') return endedCall('task_not_begun', `${provider.id} did not begin with it${said}.`, details);
  if (status === 'failed' && unwanted.test(said)) {
    return new AppError('provider_refused', `${provider.id} refuses to make this${said}.`, details);
  }
  return endedCall('task_failed', `${provider.id} ended it as ${JSON.stringify(status.slice(0, 40))}${said}.`, details);
}

function lost({ provider }: ProviderCall, status: number): AppError {
  return endedCall('unreadable', `expected ${provider.id} to report the status of its task, got ${status}.`, {
    provider: provider.id,
    status,
  });
}

/** One that has ended already needs no cancelling. */
async function cancelPrediction(call: ProviderCall, taskId: string): Promise<void> {
  const answer = await askVendor(call, { method: 'POST', path: `/predictions/${encodeURIComponent(taskId)}/cancel` });
  if (![400, 404, 409, 422].includes(answer.status)) assertTaken(call, answer);
}
