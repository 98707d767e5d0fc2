import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { Jwk, Jwks, jwkOf } from '#src/receipts/format/jwk.ts';

const Members = Type.Record(Type.String(), Type.Unknown());

/**
 * Members that only a private or a secret key has; `priv` is that of kind AKP (ML-DSA and its like).
 *
 * @see RFC 7518, section 6, RFC 8037, section 2, and the registry of parameters of JSON Web Keys
 */
const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'] as const;

/** Purposes that a key may name; it may also name none. @see RFC 7517, section 4, and RFC 9864 for `Ed25519` */
const purposes: readonly (readonly [member: string, expected: string, holds: (value: unknown) => boolean])[] = [
  ['kty', 'OKP', (value) => value === 'OKP'],
  ['crv', 'Ed25519', (value) => value === 'Ed25519'],
  ['use', 'sig', (value) => value === undefined || value === 'sig'],
  ['alg', 'Ed25519 or EdDSA', (value) => value === undefined || value === 'Ed25519' || value === 'EdDSA'],
  [
    'key_ops',
    'a list with verify, and nothing twice',
    (value) => value === undefined || (Array.isArray(value) && value.includes('verify') && areDistinct(value)),
  ],
];

/** RFC 7517, section 4.3: no operation comes twice. */
function areDistinct(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}

/**
 * The public key of this id in a JSON Web Key Set, or why there is none that may be used, as a sentence. A set that
 * names an id twice or holds a private key is believed in nothing, whichever key that is; keys of other kinds are let
 * be.
 */
export function readJwks(jwks: unknown, kid: string): Jwk | string {
  if (!Value.Check(Jwks, jwks)) return 'key set: expected an object with the list `keys`.';
  const named = new Set<string>();
  for (const [index, key] of jwks.keys.entries()) {
    if (!Value.Check(Members, key))
      return `key set: expected keys that are objects, got another value at place ${index}.`;
    const secret = secretMembers.find((member) => Object.hasOwn(key, member));
    if (secret !== undefined)
      return `key set: expected public keys alone, got the private member ${secret} at place ${index}.`;
    const { kid: name } = key;
    if (typeof name !== 'string') continue;
    if (named.has(name)) return `key set: expected every key id once, got ${JSON.stringify(name)} twice.`;
    named.add(name);
  }
  const key = jwks.keys.find((one) => Value.Check(Members, one) && one['kid'] === kid) as
    | Readonly<Record<string, unknown>>
    | undefined;
  if (!key) return `expected a key of the key set, got the unknown key id ${kid}.`;
  const wrong = purposes.find(([member, , holds]) => !holds(key[member]));
  if (wrong) {
    const [member, expected] = wrong;
    return `key set: expected ${member} of ${kid} to be ${expected}, got ${JSON.stringify(key[member]) ?? 'none'}.`;
  }
  return checkedKey(key, kid);
}

/** The key, where its id is that of its public key. */
function checkedKey(key: Readonly<Record<string, unknown>>, kid: string): Jwk | string {
  if (!Value.Check(Jwk, key)) return `key set: expected x of ${kid} to be the public key as text, got another value.`;
  try {
    const right = jwkOf(key.x).kid;
    return right === kid ? key : `key set: expected the key id ${right} of its public key, got ${kid}.`;
  } catch (error) {
    return `key set: ${error instanceof Error ? error.message : String(error)}`;
  }
}
