import { Readable } from 'node:stream';
import type { Payload } from '#queues/define.ts';
import type { batch } from '#queues/platform.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { readJobs } from '#src/jobs/read/read-jobs.ts';
import { AppError, describeError } from '#src/lib/errors.ts';
import { publicId } from '#src/platform/edge/list-query.ts';
import { abandonContent, recordFile } from '#src/platform/files/file-store.ts';
import { blobsOf } from '#src/system/blobs/blobs.ts';
import type { Context } from '#src/system/context.ts';
import { attachFile, type Batch, type BatchUsage, type ResultKind } from './batch-store.ts';
import { addUsage } from './batch-usage.ts';
import { inputLines } from './input-lines.ts';
import { type EndedLine, endedLines, failLine } from './line-store.ts';
import { isOwnFault } from './own-fault.ts';
import { parseLine } from './parse-line.ts';
import { answerLine, failureLine } from './result-line.ts';

interface BatchRun {
  readonly context: Context;
  readonly payload: Payload<typeof batch>;
  readonly signal: AbortSignal;
}

/** Totals that are known once all answers were written. */
interface Summary {
  lines: number;
  usage: BatchUsage | null;
}

/**
 * Writes what came of the lines: one file of the answers, then one of the failures, where there are any. A file that an
 * earlier attempt has written stays.
 *
 * @throws AppError `payload_too_large` above ARTEFACT_MAX_BYTES, `storage_full`, `unavailable`.
 */
export async function writeResults(run: BatchRun, last: Batch): Promise<void> {
  if (!last.outputFile) await writeFile(run, last, 'output', answers);
  // second: an answer that cannot be shown any more is a failure
  if (!last.errorFile) await writeFile(run, last, 'error', failures);
}

async function writeFile(
  { context, payload, ...rest }: BatchRun,
  { id, owner }: Batch,
  kind: ResultKind,
  write: (run: BatchRun, id: string, summary: Summary) => AsyncGenerator<string, void, undefined>,
): Promise<void> {
  const summary: Summary = { lines: 0, usage: null };
  const text = write({ context, payload, ...rest }, id, summary);
  const content = await blobsOf(context).put(Readable.from(text, { objectMode: false }));
  const isStored =
    summary.lines > 0 &&
    (await context.db.transaction(async (tx) => {
      const file = await recordFile(context, tx, content, {
        owner,
        name: `${publicId('batch', id)}_${kind}.jsonl`,
        purpose: 'batch_output',
        mediaType: 'application/jsonl',
        seconds: payload.outputSeconds ?? undefined,
      });
      await attachFile(tx, id, kind, file.id, summary.usage);
      return true;
    }));
  if (!isStored) await abandonContent(context, content);
}

/** Yields each line that succeeded with its answer, in the order of the input, which says what was requested. */
async function* answers(run: BatchRun, id: string, summary: Summary): AsyncGenerator<string, void, undefined> {
  const { context, payload, signal } = run;
  const lines = inputLines(context, payload);
  let line = await lines.next();
  for await (const { ended, job } of withJobs(context, endedLines(context, id, true))) {
    signal.throwIfAborted();
    while (!line.done && line.value.number < ended.line) line = await lines.next();
    const request = line.done ? null : parseLine(line.value, payload.endpoint, context.config.TEXT_BODY_LIMIT_BYTES);
    const shown = await show(run, { ...ended, done: job }, request).catch(async (error: unknown) => {
      if (error instanceof AppError ? error.code === 'unavailable' : !isOwnFault(error)) throw error;
      const { code, message } = describeError(error);
      if (code === 'internal') context.log.error({ err: error, batch: id, line: ended.line }, 'no answer to show');
      await failLine(context, id, ended.line, code, message);
      return null;
    });
    if (!shown) continue;
    summary.lines++;
    summary.usage = addUsage(summary.usage, shown);
    yield answerLine(id, ended, shown);
  }
  await lines.return();
}

/** Lines of which the jobs are read together; so many results are in memory at once. */
const TOGETHER = 25;

/** Yields lines with their jobs; null for one that is gone. */
async function* withJobs(context: Context, lines: AsyncIterable<EndedLine>) {
  const read = async (page: readonly EndedLine[]) => {
    const ids = page.flatMap(({ job }) => (job === null ? [] : [job]));
    const jobs = new Map((await readJobs(context, ids)).map((job) => [job.id, job]));
    return page.map((ended) => ({ ended, job: jobs.get(ended.job ?? '') ?? null }));
  };
  let page: EndedLine[] = [];
  for await (const line of lines) {
    page.push(line);
    if (page.length < TOGETHER) continue;
    yield* await read(page);
    page = [];
  }
  yield* await read(page);
}

/** @throws AppError where it cannot be shown any more */
async function show(
  { context }: BatchRun,
  { done, line }: EndedLine & { readonly done: Job | null },
  request: ReturnType<typeof parseLine> | null,
): Promise<object> {
  if (!done || !request || 'code' in request) {
    throw new AppError('not_found', `expected the job and the text of line ${line}, got none: it is gone.`);
  }
  return await request.work.present(context, done, done.result, request.body);
}

/** Each line that did not, and why. */
async function* failures({ context, signal }: BatchRun, id: string, summary: Summary) {
  for await (const ended of endedLines(context, id, false)) {
    signal.throwIfAborted();
    summary.lines++;
    yield failureLine(id, ended);
  }
}
