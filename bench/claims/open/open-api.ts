import { type Helper, startHelper } from '#bench/lib/calls.ts';
import type { Servers } from '#bench/lib/servers.ts';

/** Address and key of an API process. */
export interface Address {
  readonly url: string;
  readonly port: number;
  readonly key: string;
}

/** A whole API process on an empty database, with the queues of an application. */
export interface OpenApi {
  readonly env: Readonly<Record<string, string>>;
  readonly api: Helper;
  readonly address: Address;
}

export async function startOpenApi(
  servers: Servers,
  settings: Readonly<Record<string, string>> = {},
): Promise<OpenApi> {
  const env = { ...(await servers.fresh('ours')), OWNER_QUEUE_DEPTH: '100000000', ...settings };
  const api = await startHelper(new URL('../../children/open-api.ts', import.meta.url), env);
  return { env, api, address: await api.call<Address>('address') };
}

/** A worker elsewhere that takes the application's jobs over HTTP: our package, or bare requests. */
export async function startRemote(
  kind: 'sdk' | 'socket' | 'raw',
  capacity: number,
  { url, key }: Address,
): Promise<Helper> {
  const program = new URL('../../children/remote-worker.ts', import.meta.url);
  return await startHelper(program, {}, [kind, String(capacity), url, key]);
}
