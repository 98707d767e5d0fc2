import { setTimeout } from 'node:timers/promises';
import type OpenAI from 'openai';
import { toFile } from 'openai';
import { sql } from 'slonik';
import { batch } from '#queues/platform.ts';
import { generate } from '#queues/providers.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { AppError } from '#src/lib/errors.ts';
import { startPlatform } from '#src/platform/start-platform.ts';
import { lively, runJobs } from '#test/helpers/run-jobs.ts';
import { handlers } from './batch-handlers.ts';
import { platformWorld } from './platform-client.ts';

/** A request for pictures, as it stands in a line. */
export const request = (id: string, prompt = id, more: object = {}) => ({
  custom_id: id,
  method: 'POST',
  url: '/v1/images/generations',
  body: { prompt },
  ...more,
});

export const jsonl = async (lines: readonly (object | string)[]) =>
  await toFile(
    Buffer.from(lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')),
    'requests.jsonl',
  );

/** The platform with a fleet whose provider does by prompt what it is told (see batch-handlers.ts). */
export async function batchWorld(settings: Readonly<Record<string, string>> = {}, { fleet = true } = {}) {
  await using stack = new AsyncDisposableStack();
  const world = stack.use(await platformWorld({ ...lively, ...settings }));
  const { context } = world.api;
  const module = new URL('./batch-handlers.ts', import.meta.url);
  const swept = [batch.name, generate.name];
  const running = { name: 'platform', handlers, module, concurrency: 50, swept, starts: [startPlatform], fleet };
  const { startFleet } = stack.use(await runJobs(context, running));
  const client = await world.client();
  const all = stack.move();

  /** The batch once `holds`; fails after a minute. */
  const until = async (id: string, holds: (one: OpenAI.Batch) => boolean): Promise<OpenAI.Batch> => {
    for (const deadline = performance.now() + 60_000; ; ) {
      const found = await client.batches.retrieve(id);
      if (holds(found)) return found;
      if (performance.now() > deadline) throw new Error(`the batch is still ${JSON.stringify(found)}`);
      await setTimeout(150);
    }
  };
  /** Jobs of lines, in the order in which they began. */
  const children = async () =>
    (await context.db.any(
      sql.unsafe`select id, attempt, state from jobs where parent_id is not null order by id`,
    )) as readonly { readonly id: string; readonly attempt: number; readonly state: string }[];
  const linesOf = async (file: string | null | undefined): Promise<readonly any[]> => {
    if (!file) return [];
    const text = await (await client.files.content(file)).text();
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  };
  return {
    ...world,
    context,
    client,
    clientOf: world.client,
    startFleet,
    children,
    until,
    ended: async (id: string) =>
      await until(id, ({ status }) => ['completed', 'failed', 'expired', 'cancelled'].includes(status)),
    /** Brings a file and has it carried out. */
    start: async (lines: readonly (object | string)[], more: object = {}) => {
      const file = await client.files.create({ file: await jsonl(lines), purpose: 'batch' });
      return await client.batches.create({
        input_file_id: file.id,
        endpoint: '/v1/images/generations',
        completion_window: '24h',
        ...more,
      });
    },
    /** What a batch left behind. */
    results: async (one: OpenAI.Batch) => ({
      answers: await linesOf(one.output_file_id),
      failures: await linesOf(one.error_file_id),
    }),
    jobOf: async (one: OpenAI.Batch) => {
      const { run } = one as unknown as { readonly run: { readonly id: string } };
      const job = await readJob(context, run.id);
      if (!job) throw new AppError('not_found', 'expected the job of the batch, got none.');
      return job;
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
