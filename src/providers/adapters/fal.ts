import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { AppError } from '#src/lib/errors.ts';
import { endedCall } from '#src/providers/calls/call-ends.ts';
import type { Adapter, ProviderCall } from '#src/providers/catalogue/adapter.ts';
import { askVendor, assertTaken, readJson } from '#src/providers/http/vendor-http.ts';
import { offerOf } from '#src/providers/routing/quote.ts';
import { findTask } from '#src/providers/tasks/find-task.ts';
import { type Look, pollTask } from '#src/providers/tasks/poll-task.ts';
import { type FieldNames, taskInput } from '#src/providers/tasks/task-input.ts';
import { generatedFrom } from '#src/providers/tasks/task-output.ts';
import { webhookAddress } from '#src/providers/tasks/webhook-address.ts';

const fieldNames: FieldNames = {
  prompt: 'prompt',
  aspect: 'aspect_ratio',
  seconds: 'duration',
  resolution: null,
  voice: 'voice',
  language: 'language',
  count: 'num_images',
  image: 'image_url',
  images: 'image_urls',
  video: 'video_url',
  audio: 'audio_url',
  narration: 'narration_url',
  music: 'music_url',
  mask: 'mask_url',
};

const Submitted = Compile(Type.Object({ request_id: Type.String({ pattern: '^[\\w-]{1,200}$' }) }));
const Status = Compile(Type.Object({ status: Type.String() }));
const Result = Compile(Type.Object({ has_nsfw_concepts: Type.Optional(Type.Array(Type.Boolean())) }));

const running: Readonly<Record<string, string>> = { IN_QUEUE: 'queued', IN_PROGRESS: 'generating' };

/**
 * Requests in a queue as fal's API has them: submitted, looked at, and their result read.
 *
 * @see https://fal.ai/docs/documentation/model-apis/inference/queue
 */
export const falAdapter: Adapter = {
  kind: 'task',
  submit: async (call) => {
    const webhook = webhookAddress(call);
    const query = webhook === null ? '' : `?fal_webhook=${encodeURIComponent(webhook)}`;
    const answer = await askVendor(call, {
      method: 'POST',
      path: `/${offerOf(call.provider, call.capability).model}${query}`,
      headers: { 'idempotency-key': call.key },
      body: await taskInput(call, fieldNames),
    });
    assertTaken(call, answer);
    return readJson(call, answer, Submitted).request_id;
  },
  find: findTask,
  visibilityDelayMs: 0,
  fetch: async (call, taskId) => {
    const cancel = async () => await cancelRequest(call, taskId);
    await pollTask(call, async (timed) => await look(timed, taskId), cancel);
    return await generatedFrom(call, taskId, await readResult(call, taskId));
  },
  cancel: cancelRequest,
};

async function look(call: ProviderCall, taskId: string): Promise<Look<null>> {
  const answer = await askVendor(call, { method: 'GET', path: `${pathOf(call, taskId)}/status` });
  // 202 while it waits or runs, 200 once it is over
  if (answer.status !== 200 && answer.status !== 202) throw lost(call, answer.status);
  const { status } = readJson(call, answer, Status);
  const stage = running[status];
  if (stage !== undefined) return { over: false, stage };
  if (status === 'COMPLETED') return { over: true, value: null };
  const message = `expected a status of its protocol from ${call.provider.id}, got ${JSON.stringify(status.slice(0, 40))}.`;
  throw endedCall('unreadable', message, { provider: call.provider.id, final: true });
}

/**
 * Reads the result until it is there: reading costs nothing, and answers of 5xx may be of the queue or of the model.
 */
async function readResult(call: ProviderCall, taskId: string): Promise<unknown> {
  return await pollTask(
    call,
    async (timed) => {
      const answer = await askVendor(timed, { method: 'GET', path: pathOf(call, taskId) });
      assertTaken(timed, answer);
      const value = readJson(timed, answer, Result);
      if (value.has_nsfw_concepts?.some(Boolean)) {
        const message = `${call.provider.id} made something that it does not hand out.`;
        throw new AppError('provider_refused', message, { provider: call.provider.id });
      }
      return { over: true, value };
    },
    async () => {},
  );
}

async function cancelRequest(call: ProviderCall, taskId: string): Promise<void> {
  const answer = await askVendor(call, { method: 'PUT', path: `${pathOf(call, taskId)}/cancel` });
  // 400: it was over already
  if (![400, 404].includes(answer.status)) assertTaken(call, answer);
}

/**
 * Requests lie under owner and app of a model, without the rest of its path; these first words stand before the owner.
 */
function pathOf({ provider, capability }: ProviderCall, taskId: string): string {
  const parts = offerOf(provider, capability).model.split('/');
  const app = parts.slice(0, ['workflows', 'comfy'].includes(parts[0] ?? '') ? 3 : 2).join('/');
  return `/${app}/requests/${encodeURIComponent(taskId)}`;
}

function lost({ provider }: ProviderCall, status: number): AppError {
  return endedCall('unreadable', `expected ${provider.id} to report the status of its request, got ${status}.`, {
    provider: provider.id,
    status,
  });
}
