/** One Ethereum JSON-RPC endpoint. */
export interface Rpc {
  /** Name for reasons: the host alone, since a path or a query may carry a secret key. */
  readonly name: string;
  /** @throws Error with a sentence when there is no answer in time, or it is none. */
  readonly call: (method: string, params: readonly unknown[]) => Promise<unknown>;
}

/** The endpoint said no: it works, but has no such method or block. */
export class RpcRefusal extends Error {
  override readonly name = 'RpcRefusal';
}

/** An endpoint over HTTP. @param timeoutMs longest wait for one answer */
export function httpRpc(url: string, timeoutMs = 10_000): Rpc {
  const name = new URL(url).host;
  const call = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const request = { jsonrpc: '2.0', id: 1, method, params };
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
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

function resultOf(answer: unknown, name: string, method: string): unknown {
  if (typeof answer !== 'object' || answer === null) throw new Error(`${name} answered ${method} with no object.`);
  if ('error' in answer && answer.error) throw new RpcRefusal(`${name} refused ${method}.`);
  if ('result' in answer) return answer.result;
  throw new Error(`${name} answered ${method} with neither a result nor an error.`);
}

function whyNot(error: unknown, timeoutMs: number): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return `no answer in ${timeoutMs} ms`;
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return 'it cannot be reached';
}
