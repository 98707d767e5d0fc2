import { type EffectAdapter, EffectRefused } from '#src/jobs/effects/effects.ts';
import type { Sent } from '#src/jobs/effects/intents.ts';
import { visibilityDelayMs } from './provider.ts';

interface Request {
  readonly index: number;
}

const url = () => process.env['CHAOS_PROVIDER_URL'] ?? '';

const sendAs =
  (kind: string) =>
  async (_request: Request, key: string, signal: AbortSignal): Promise<Sent> => {
    const answer = await fetch(url(), { method: 'POST', body: JSON.stringify({ key, kind }), signal });
    if (answer.status === 503) throw new EffectRefused('unavailable', 'the provider refused');
    return { externalId: ((await answer.json()) as { id: string }).id, outcome: 'sent' };
  };

const find = async (key: string, signal: AbortSignal): Promise<Sent | null> => {
  const answer = await fetch(`${url()}?key=${encodeURIComponent(key)}`, { signal });
  const { id } = (await answer.json()) as { id: string | null };
  return id === null ? null : { externalId: id, outcome: 'found' };
};

/** The provider, as each of the three kinds that an adapter can declare. */
export const adapters = {
  idempotent: { kind: 'idempotent', send: sendAs('idempotent') },
  queryable: { kind: 'queryable', visibilityDelayMs, send: sendAs('queryable'), find },
  neither: { kind: 'neither', send: sendAs('neither') },
} satisfies Record<string, EffectAdapter<Request>>;
