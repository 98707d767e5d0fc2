import { type Answer, type Json, nameIn, type OpenApiDocument, type Operation, operationsOf } from './document.ts';

interface Header {
  readonly description: string;
  readonly schema: Json;
  /** Tells whether an operation can give it with this status, as the document writes statuses. */
  readonly isSent: (operation: Operation, status: string, answer: Answer) => boolean;
}

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
const isGood = (status: string) => status.startsWith('2');
const isError = (status: string) => /^[45]/.test(status);
const takes = (name: string) => (operation: Operation) =>
  operation.parameters?.some((one) => one.in === 'header' && one.name?.toLowerCase() === name) ?? false;
const takesKey = takes('idempotency-key');
const takesWait = takes('prefer');
/** Marks an operation that is neither counted nor limited, until its headers are described. */
export const unlimited = 'x-unlimited';
const isLimited = (operation: Operation) => operation[unlimited] !== true;
const schemasOf = (answer: Answer | undefined) =>
  Object.values(answer?.content ?? {}).map(({ schema }) => nameIn(schema));
/** Operations whose work is a job, beside those whose 202 says so. */
const alsoJobs = new Set(['createChatCompletion', 'createResponse', 'createVideo', 'createBatch', 'createBatchOpenAi']);
const isJob = ({ operationId = '', responses = {} }: Operation) =>
  alsoJobs.has(operationId) || schemasOf(responses['202']).some((name) => name === 'Job' || name === 'PendingWork');
const isRouted = (operation: Operation) =>
  /^create(ChatCompletion|Response)$/.test(operation.operationId ?? '') ||
  schemasOf(operation.responses?.['202']).includes('PendingWork');
const isPart = ({ responses = {} }: Operation) => '206' in responses;
const isMedia = ({ content = {} }: Answer) => Object.keys(content).some((type) => /^(audio|image|video)\//.test(type));
/** Operations that say where what they made is, beside those that answer 202. */
const located = new Set(['createMission', 'runOrchestration', 'signIn', 'signInCallback']);

/** Headers of answers that a client can act on, by name. */
export const describedHeaders: Readonly<Record<string, Header>> = {
  'X-Request-Id': {
    description: 'Names this request in our logs; say it when you ask about an answer',
    schema: text,
    isSent: () => true,
  },
  RateLimit: {
    description:
      'Remaining part of each limit, as `"policy";r=REMAINING;t=SECONDS_UNTIL_RESET` (draft-ietf-httpapi-ratelimit-headers)',
    schema: text,
    isSent: isLimited,
  },
  'RateLimit-Policy': {
    description: 'The limits themselves, as `"policy";q=QUOTA;w=WINDOW_SECONDS`',
    schema: text,
    isSent: isLimited,
  },
  'Retry-After': {
    description: 'Seconds after which it makes sense to come again; with 429, 503 and where it is known',
    schema: count,
    isSent: (_operation, status) => isError(status),
  },
  Location: {
    description: 'Address of the work, or the one to go to',
    schema: { type: 'string', format: 'uri-reference' },
    isSent: ({ operationId = '', responses = {} }, status) =>
      located.has(operationId)
        ? !isError(status)
        : status === '202' &&
          schemasOf(responses['202']).some((name) => /^(Job|PendingWork|Mission)$/.test(name ?? '')),
  },
  'X-Job-Id': {
    description: 'The job that does the work: read it at /v1/jobs/{id}',
    schema: { type: 'string', format: 'uuid' },
    isSent: (operation, status) => isGood(status) && isJob(operation),
  },
  'X-Job-Warning': {
    description: 'Reason why the job is not started, in a sentence',
    schema: text,
    isSent: (operation, status) => isGood(status) && isJob(operation),
  },
  'Idempotency-Replayed': {
    description: '`true`: this is the answer to an earlier request with the same Idempotency-Key',
    schema: { type: 'string', enum: ['true'] },
    isSent: (operation, status) => isGood(status) && takesKey(operation),
  },
  'Preference-Applied': {
    description: 'The part of `Prefer` that was followed',
    schema: text,
    isSent: (operation, status) => isGood(status) && takesWait(operation),
  },
  'X-Provider': {
    description: 'Provider that answered',
    schema: text,
    isSent: (operation, status) => status === '200' && isRouted(operation),
  },
  'X-Cache': {
    description: '`hit` or `miss`, where the request allows an answer from the cache',
    schema: text,
    isSent: ({ operationId }, status) => status === '200' && operationId === 'createChatCompletion',
  },
  'X-Should-Retry': {
    description: 'Whether the same request may do better later; clients of OpenAI’s kind go by it',
    schema: { type: 'string', enum: ['true', 'false'] },
    isSent: (_operation, status, answer) => isError(status) && schemasOf(answer).includes('PlatformProblem'),
  },
  'X-Next-Cursor': {
    description: 'The cursor of the next page, where the answer is CSV and there is one',
    schema: text,
    isSent: (_operation, status, { content = {} }) => status === '200' && 'text/csv' in content,
  },
  'Content-Range': {
    description: 'Range of these bytes, and the number of all',
    schema: text,
    isSent: (_operation, status) => status === '206',
  },
  'Content-Disposition': {
    description: 'The file’s name',
    schema: text,
    isSent: (operation, status, answer) => isGood(status) && (isPart(operation) || isMedia(answer)),
  },
};

/** Says with each answer which headers it can have. */
export function describeHeaders(document: OpenApiDocument): void {
  const headers = document.components?.['headers'];
  if (!headers) return;
  for (const [name, { description, schema }] of Object.entries(describedHeaders))
    headers[name] = { description, schema };
  for (const operation of operationsOf(document)) {
    for (const [status, answer] of Object.entries(operation.responses ?? {})) {
      const named = Object.entries(describedHeaders).filter(([, header]) => header.isSent(operation, status, answer));
      answer.headers = {
        ...answer.headers,
        ...Object.fromEntries(named.map(([name]) => [name, { $ref: `#/components/headers/${name}` }])),
      };
    }
    delete operation[unlimited];
  }
}
