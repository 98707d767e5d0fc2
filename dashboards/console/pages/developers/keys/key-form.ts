import type { Scope } from '#console/api/api.d.ts';

/** Contents of a form for a key, as they are typed. */
export interface KeyDraft {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** One address a line. */
  readonly addresses: string;
}

export type KeyFaults = Partial<Record<keyof KeyDraft, string>>;

const mostAddresses = 25;

/** The addresses of a draft, in the order in which they stand there; each once. */
export function addressesOf({ addresses }: Pick<KeyDraft, 'addresses'>): string[] {
  return [...new Set(addresses.split(/[\s,]+/).filter((one) => one !== ''))];
}

/** An address as people write it: the service says of each that it is a range of one. */
export function bareAddress(range: string): string {
  return range.replace(/\/32$/, '');
}

/** Finds the faults of a draft, a sentence a field; none where it can be sent. */
export function faultsOf(draft: KeyDraft): KeyFaults {
  const addresses = addressesOf(draft);
  const odd = addresses.find((one) => !isAddress(one));
  return {
    ...(draft.name.trim() === '' && { name: 'Give it a name by which you will know what it is for.' }),
    ...(draft.scopes.length === 0 && { scopes: 'Choose at least one: a key that may do nothing is of no use.' }),
    ...(odd !== undefined && { addresses: `Expected an IPv4 address such as 203.0.113.7, got ${odd}.` }),
    ...(addresses.length > mostAddresses && {
      addresses: `Expected at most ${mostAddresses} addresses, got ${addresses.length}.`,
    }),
  };
}

function isAddress(text: string): boolean {
  const [address = '', size, ...more] = text.split('/');
  const parts = address.split('.');
  const isSingle = (size === undefined || size === '32') && more.length === 0;
  return isSingle && parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
}
