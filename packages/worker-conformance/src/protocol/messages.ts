/** Message of a worker about an attempt; its other members depend on `type`. */
export interface Report {
  readonly type: string;
  readonly job: string;
  readonly attempt: number;
  readonly token: string;
  readonly [member: string]: unknown;
}

/** Answer to one report. */
export interface Answer {
  readonly status: 'accepted' | 'stale' | 'refused';
  readonly code?: string;
  readonly message?: string;
  readonly path?: string;
  readonly value?: unknown;
  readonly child?: string;
  readonly effect?: {
    readonly state: 'fresh' | 'done' | 'again' | 'unknown';
    readonly key: string;
    readonly outcome?: unknown;
    readonly external_id?: string | null;
  };
}

/** A step as it is handed out with its job. */
export interface Step {
  readonly name: string;
  readonly n: number;
  readonly kind: 'step' | 'child' | 'sleep' | 'signal' | 'result';
  readonly after: number;
  readonly value: unknown;
}

/** An attempt that a worker has in hand. */
export interface InHand {
  readonly id: string;
  readonly attempt: number;
}

export interface Registration {
  readonly queues: readonly { readonly name: string; readonly versions?: readonly number[] }[];
  readonly capacity: number;
}

export interface Poll {
  readonly credits: number;
  readonly wait_ms?: number;
  readonly jobs: readonly InHand[];
}

/** The queue that every program under test serves, in version 1, with this many hands. */
export const agreed = { queue: 'conformance.do-task', version: 1, capacity: 2, key: 'conformance' } as const;

/** An answer over HTTP. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal as the API has it: problem details. */
export function problem(status: number, code: string, detail: string, headers: Reply['headers'] = {}): Reply {
  const body = {
    type: `urn:proofline:error:${code}`,
    title: code.replaceAll('_', ' '),
    status,
    detail,
    code,
    request_id: 'conformance',
  };
  return { status, body, headers: { 'content-type': 'application/problem+json', ...headers } };
}
