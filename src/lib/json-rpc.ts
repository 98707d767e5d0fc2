/** One Ethereum JSON-RPC endpoint. */
export interface Rpc {
  /** Name for reasons: the host alone, since a path or a query may carry a secret key. */
  readonly name: string;
  /** @throws Error with a sentence when there is no answer in time, or it is none. */
  readonly call: (method: string, params: readonly unknown[]) => Promise<unknown>;
}

/** The endpoint said no: it works, but has no such method or block, or does not take what it was sent. */
export class RpcRefusal extends Error {
  override readonly name = 'RpcRefusal';
  /** Its own words; they may spell out addresses. */
  readonly said: string;

  constructor(message: string, said: string) {
    super(message);
    this.said = said;
  }
}

/** An endpoint over HTTP; a name and a password in its address are sent as such. @param timeoutMs longest wait for one answer */
export function httpRpc(address: string, timeoutMs = 10_000): Rpc {
  const { url, headers } = requestTo(address);
  const name = url.host;
  const call = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const request = { jsonrpc: '2.0', id: 1, method, params };
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify(request),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((error: unknown) => {
      throw new Error(`${name} did not answer ${method} (${whyNot(error, timeoutMs)}).`, { cause: error });
    });
    if (!response.ok) throw new Error(`${name} answered ${method} with HTTP status ${response.status}.`);
    const answer: unknown = await response.json().catch((error: unknown) => {
      throw new Error(`${name} answered ${method} with something that is no JSON.`, { cause: error });
    });
    return resultOf(answer, name, method);
  };
  return { name, call };
}

/** `fetch` takes no address with a password in it. */
function requestTo(address: string) {
  const url = new URL(address);
  const { username, password } = url;
  url.username = '';
  url.password = '';
  const secret = btoa(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  return {
    url,
    headers: { 'content-type': 'application/json', ...(username !== '' && { authorization: `Basic ${secret}` }) },
  };
}

function resultOf(answer: unknown, name: string, method: string): unknown {
  if (typeof answer !== 'object' || answer === null) throw new Error(`${name} answered ${method} with no object.`);
  if ('error' in answer && answer.error) throw new RpcRefusal(`${name} refused ${method}.`, saidIn(answer.error));
  if ('result' in answer) return answer.result;
  throw new Error(`${name} answered ${method} with neither a result nor an error.`);
}

function saidIn(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : '';
}

function whyNot(error: unknown, timeoutMs: number): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return `no answer in ${timeoutMs} ms`;
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return 'it cannot be reached';
}
