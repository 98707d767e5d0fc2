import { type BulkAnswer, type BulkJob, type BulkOptions, bulk } from './bulk.ts';
import { type Duration, milliseconds } from './duration.ts';
import { type Flow, type FlowOptions, submitFlow } from './flows.ts';
import { type FollowOptions, follow } from './follow.ts';
import { type JobHandle, jobHandle } from './handle.ts';
import type { StreamEvent } from './job.ts';
import { ProoflineError } from './proofline-error.ts';
import type { JobType, PayloadOf, ResultOf } from './queues.ts';
import { type Connection, request } from './request.ts';
import { type SubmitOptions, submissionOf } from './submission.ts';

export interface ClientOptions {
  /** Address of the API, such as `http://127.0.0.1:4000`; `PROOFLINE_URL` by default, where there is an environment. */
  readonly url?: string;
  /** Key with the scope `jobs.submit`; `PROOFLINE_KEY` by default. */
  readonly key?: string;
  /** Stream token instead of a key, for pages: the client can follow that one stream, and nothing else. */
  readonly token?: string;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Number of tries after the first, where a refusal passes or no answer comes; 4 by default. */
  readonly retries?: number;
  /** Pause before the second try, doubled with each; 250 ms by default. */
  readonly backoff?: Duration;
  /** Longest wait for one answer; a minute by default. Streams have none. */
  readonly timeout?: Duration;
}

export interface CallOptions {
  /** Body; sent as JSON. */
  readonly body?: unknown;
  /** Body that is JSON already, instead of `body`. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly timeout?: Duration;
  readonly retries?: number;
}

/** A caller of one server. Every method rejects with {@link ProoflineError} where the server refuses. */
export interface Client {
  readonly url: string;
  /**
   * Submits a job of a definition, or of a queue by its name. Always under an idempotency key, so it is sent again
   * where its answer is lost, and makes one job.
   */
  readonly submit: {
    <Payload, Result, Name extends string>(
      job: JobType<Payload, Result, Name>,
      payload: NoInfer<Payload>,
      options?: SubmitOptions,
    ): Promise<JobHandle<Result>>;
    <Name extends string>(
      queue: Name,
      payload: PayloadOf<Name>,
      options?: SubmitOptions,
    ): Promise<JobHandle<ResultOf<Name>>>;
  };
  /** Submits many jobs of any queues, up to 10,000 a request; answers in their order. */
  readonly bulk: <Name extends string>(
    jobs: Iterable<BulkJob<Name>> | AsyncIterable<BulkJob<Name>>,
    options?: BulkOptions,
  ) => AsyncGenerator<BulkAnswer, void, undefined>;
  /** Submits jobs that follow each other, all of them or none. The flow is a job itself: with result, events, cancel. */
  readonly submitFlow: <Result = unknown>(flow: Flow, options?: FlowOptions) => Promise<JobHandle<Result>>;
  /** A job by its id; sends nothing. */
  readonly job: <Result = unknown>(id: string) => JobHandle<Result>;
  /** Follows any stream of the server, such as `/v1/jobs/events`; goes on after every cut, and ends by the signal. */
  readonly stream: (path: string, options?: FollowOptions) => AsyncGenerator<StreamEvent, void, undefined>;
  /** Calls any route that may be repeated; gives the answer's JSON, undefined for an empty one. */
  readonly call: <Answer>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    options?: CallOptions,
  ) => Promise<Answer>;
}

/** Opens a client. It holds no connection and nothing to close. @throws TypeError for an address or a key that is none. */
export function createClient(options: ClientOptions = {}): Client {
  const connection = connectionOf(options);
  return {
    url: connection.url,
    submit: async (
      job: string | JobType<never>,
      payload: unknown,
      more: SubmitOptions = {},
    ): Promise<JobHandle<never>> => await submit(connection, job, payload, more),
    bulk: (jobs, more) => bulk(connection, jobs, more),
    submitFlow: async <Result>(flow: Flow, more: FlowOptions = {}) => await submitFlow<Result>(connection, flow, more),
    job: (id) => jobHandle(connection, id),
    stream: (path, more = {}) => follow(connection, path, more, () => false),
    call: async <Answer>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, call: CallOptions = {}) => {
      const { body, text = body === undefined ? undefined : JSON.stringify(body), timeout, ...more } = call;
      const answer = await request(connection, {
        method,
        path,
        text,
        ...more,
        ...(timeout !== undefined && { timeoutMs: milliseconds(timeout) }),
      });
      return (answer.text === '' ? undefined : JSON.parse(answer.text)) as Answer;
    },
  };
}

function connectionOf({
  url = surroundings('PROOFLINE_URL'),
  token,
  key = token ?? surroundings('PROOFLINE_KEY'),
  ...options
}: ClientOptions): Connection {
  if (!/^https?:\/\/[^/]/.test(url))
    throw new TypeError(`url: expected an address that starts with https:// or http://, got ${JSON.stringify(url)}.`);
  // a header cannot carry more, and a key that lacks its end would only be refused
  if (!/^[!-~]+$/.test(key)) throw new TypeError('key: expected a key of the server, got an empty or broken text.');
  const { retries = 4, backoff = 250, timeout = '60s', fetch: own } = options;
  return {
    url: url.replace(/\/+$/, ''),
    key,
    // browsers refuse to call theirs as the method of another object
    fetch: own ?? ((...args: Parameters<typeof fetch>) => fetch(...args)),
    retries,
    backoffMs: milliseconds(backoff),
    timeoutMs: milliseconds(timeout),
  };
}

/** A variable of the environment; empty where there is none, as in browsers. */
function surroundings(name: string): string {
  const { process }: { readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> } } =
    Object(globalThis);
  return process?.env?.[name] ?? '';
}

/** Group that a job type says of a payload. @throws TypeError that names the type, where it cannot say */
function groupOf(name: string, say: () => unknown): string {
  let group: unknown;
  try {
    group = say();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new TypeError(`group of ${name}: expected a text for this payload, got an error: ${why}`, { cause: error });
  }
  if (typeof group === 'string' && group !== '') return group;
  throw new TypeError(
    `group of ${name}: expected a text for this payload, got ${group === '' ? 'an empty one' : typeof group}.`,
  );
}

async function submit(
  connection: Connection,
  job: string | JobType<never>,
  payload: unknown,
  { idempotencyKey = crypto.randomUUID(), signal, ...options }: SubmitOptions,
): Promise<JobHandle<never>> {
  const type: JobType<never> = typeof job === 'string' ? { name: job } : job;
  const { name, version, group } = type;
  const defaults = {
    ...(version !== undefined && { version }),
    ...(group !== undefined &&
      options.group === undefined && { group: groupOf(name, () => group({ payload: payload as never })) }),
  };
  const { text, headers } = await request(connection, {
    method: 'POST',
    path: `/v1/queues/${encodeURIComponent(name)}/jobs`,
    text: JSON.stringify(submissionOf(payload, { ...defaults, ...options })),
    headers: { 'idempotency-key': idempotencyKey, prefer: 'respond-async' },
    signal,
    // under its key the job was submitted before, and has failed since: that is its failure, not a refusal
    accepts: (response) => response.headers.has('x-job-id'),
  });
  // 200 is the result of a job that was submitted before; the header names it
  const id = headers.get('x-job-id') ?? (JSON.parse(text) as { readonly id?: unknown }).id;
  if (typeof id === 'string') return jobHandle(connection, id);
  throw new ProoflineError(`expected the id of a job of ${name}, got ${text.slice(0, 200)}.`, {
    code: 'unreadable_answer',
  });
}
