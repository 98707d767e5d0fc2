import { createKey, type KeyRequest, listKeys } from '#src/access/keys.ts';
import { scopes } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';
import { readSecret, replaceSecret } from '#src/system/embedded/secrets.ts';

const requests = {
  admin: { owner: 'admin', name: 'default admin', scopes, operator: true, tier: 'high' },
  studio: {
    owner: 'studio',
    name: 'default studio',
    scopes: scopes.filter((scope) => scope.startsWith('studio.')),
    tier: 'high',
  },
  analytics: {
    owner: 'analytics',
    name: 'default analytics',
    scopes: ['platform.mcp.read', 'platform.mcp.execute'],
    tier: 'high',
  },
} as const satisfies Record<string, KeyRequest>;

export type DefaultKeys = Record<keyof typeof requests, string>;

/**
 * The keys of a system on one machine. Their secrets are kept in the home, so that every start prints the same ones;
 * one that was revoked or belongs to another database is made anew.
 */
export async function defaultKeys(context: Context, home: string): Promise<DefaultKeys> {
  const known = await listKeys(context, null);
  const valid = (secret: string) =>
    known.some(
      ({ revoked_at, start, last4 }) =>
        revoked_at === null && secret.startsWith(`sk-platform-${start}`) && secret.endsWith(last4),
    );
  const secretOf = async (name: keyof typeof requests): Promise<string> => {
    const kept = readSecret(home, `key-${name}`);
    if (kept !== undefined && valid(kept)) return kept;
    const { secret } = await createKey(context, requests[name]);
    return replaceSecret(home, `key-${name}`, secret);
  };
  const [admin, studio, analytics] = await Promise.all([secretOf('admin'), secretOf('studio'), secretOf('analytics')]);
  return { admin, studio, analytics };
}
