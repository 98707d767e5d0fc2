import { isLoopback } from './loopback.ts';

/** One environment variable: how it is read, and what the documentation says of it. */
export interface Setting<V = unknown> {
  /** Form of a right value; completes the sentence "expected …". */
  readonly expected: string;
  /** Unit of the value, or what it names; empty where the line of explanation says it all. */
  readonly unit: string;
  readonly about: string;
  /** Never printed: not in an error, a log line or the documentation. */
  readonly secret: boolean;
  /** The value where the variable is not set, as the documentation prints it. */
  readonly shown: string;
  readonly fallback: V;
  /** The value of the text, or undefined where it is not what was expected. */
  readonly read: (text: string) => V | undefined;
}

type Common = { readonly about: string; readonly unit?: string; readonly secret?: true; readonly shown?: string };

function setting<V>(common: Common, fallback: V, expected: string, read: (text: string) => V | undefined): Setting<V> {
  const plain = fallback === undefined || fallback === '' ? 'none' : String(fallback);
  const { unit = '', secret = false, shown = plain, about } = common;
  return { expected, unit, about, secret, shown, fallback, read };
}

/** A whole number between two bounds, both included. */
export function whole(from: number, to: number, fallback: number, common: Common): Setting<number> {
  return setting(common, fallback, `a whole number from ${from} to ${to}`, (digits) => {
    const value = /^\d{1,15}$/.test(digits) ? Number(digits) : Number.NaN;
    return value >= from && value <= to ? value : undefined;
  });
}

/** Text that fits a pattern; `expected` says in words what the pattern takes. */
export function text(pattern: RegExp, expected: string, fallback: string, common: Common): Setting<string> {
  return setting(common, fallback, expected, (value) => (pattern.test(value) ? value : undefined));
}

/** An address of one of the schemes (written with the colon: `https:`); empty where the process finds its own. */
export function address(schemes: readonly string[], common: Common): Setting<string> {
  const { expected, read } = optionalAddress(schemes, common);
  return setting(common, '', expected, read);
}

/** An address that may be missing, of one of the schemes. */
export function optionalAddress(schemes: readonly string[], common: Common): Setting<string | undefined> {
  const expected = `an address that starts with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`;
  return setting<string | undefined>(common, undefined, expected, (value) =>
    schemes.includes(URL.parse(value)?.protocol ?? '') ? value : undefined,
  );
}

/** The base address of a service that is sent a secret: encrypted, or on this machine. It may be missing. */
export function serviceAddress(common: Common): Setting<string | undefined> {
  const expected =
    'an address that starts with https://, or http:// on this machine, without a user, query or fragment';
  return setting<string | undefined>(common, undefined, expected, (value) => {
    const url = URL.parse(value);
    if (url === null || url.username || url.password || url.search || url.hash) return undefined;
    const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
    return isSafe ? value : undefined;
  });
}

/** One of a few words. */
export function choice<const W extends string>(words: readonly W[], fallback: W, common: Common): Setting<W> {
  return setting(common, fallback, `one of ${words.join(', ')}`, (value) => words.find((word) => word === value));
}

/** Some of a few words, separated by commas; all of them where it is not set. */
export function some<const W extends string>(words: readonly W[], common: Common): Setting<readonly W[]> {
  const expected = `some of ${words.join(', ')}, separated by commas`;
  return setting<readonly W[]>({ shown: 'all', ...common }, words, expected, (value) => {
    const chosen = value.split(',').map((one) => one.trim());
    return chosen.every((one) => words.some((word) => word === one))
      ? words.filter((word) => chosen.includes(word))
      : undefined;
  });
}

/** Web origins (`https://example.com`), separated by commas. */
export function origins(common: Common): Setting<readonly string[]> {
  const expected = 'origins such as https://example.com, separated by commas';
  return setting<readonly string[]>({ shown: 'none', ...common }, [], expected, (value) => {
    const list = value.split(',').map((one) => one.trim());
    return list.every((one) => URL.parse(one)?.origin === one) ? list : undefined;
  });
}

/** Web origins that pages come from: `*` for all, which it is where it is not set, or `none`. */
export function pageOrigins(common: Common): Setting<readonly string[]> {
  const expected = 'origins such as https://example.com, separated by commas, * or none';
  const { read } = origins(common);
  return setting<readonly string[]>({ shown: '*', ...common }, ['*'], expected, (value) =>
    value === '*' ? ['*'] : value === 'none' ? [] : read(value),
  );
}

/** Hosts with their ports, separated by commas. */
export function nodes(common: Common): Setting<readonly string[]> {
  const expected = 'hosts with ports such as 10.0.0.2:6379, separated by commas';
  return setting<readonly string[]>({ shown: 'none', unit: 'hosts', ...common }, [], expected, (value) => {
    const list = value.split(',').map((one) => one.trim());
    return list.every((one) => /^[\w.-]+:\d{1,5}$/.test(one) && URL.canParse(`redis://${one}`)) ? list : undefined;
  });
}

/** US dollars, to the millionth; it may be missing. */
export function dollars(common: Common): Setting<number | undefined> {
  const expected = 'US dollars from 0 to 999999999, such as 250 or 0.5';
  return setting<number | undefined>({ unit: 'US dollars', ...common }, undefined, expected, (value) =>
    /^\d{1,9}(\.\d{1,6})?$/.test(value) ? Number(value) : undefined,
  );
}

/** Prices by name (`name=dollars`), separated by commas; each stays as it was written, once it is one. */
export function prices(common: Common): Setting<readonly string[]> {
  const expected = 'prices such as http.fetch=0.001, separated by commas';
  return setting<readonly string[]>({ shown: 'none', unit: 'US dollars', ...common }, [], expected, (value) => {
    const list = value.split(',').map((one) => one.trim());
    return list.every((one) => /^[a-z][\w.-]*=\d{1,6}(\.\d{1,6})?$/.test(one)) ? list : undefined;
  });
}

/** Ages (`name=10m`, `h`, `d`) and counts (`name=10000`) by name, separated by commas; each stays as it was written. */
export function retentions(common: Common): Setting<readonly string[]> {
  const expected = 'ages or counts such as analytics.stress=72h or analytics.ask=10000, separated by commas';
  return setting<readonly string[]>({ shown: 'none', ...common }, [], expected, (value) => {
    const list = value.split(',').map((one) => one.trim());
    return list.every((one) => /^[a-z][\w.-]*=[1-9]\d{0,6}[mhd]?$/.test(one)) ? list : undefined;
  });
}

/** E-mail addresses, and with `domains` whole domains (`@example.com`) too, separated by commas; in lower case. */
export function people({ domains, ...common }: Common & { readonly domains: boolean }): Setting<readonly string[]> {
  const expected = `e-mail addresses${domains ? ' or domains (@example.com)' : ''} of ASCII letters, separated by commas`;
  const pattern = domains ? /^[!-?A-~]*@[!-?A-~]+$/ : /^[!-?A-~]+@[!-?A-~]+$/;
  return setting<readonly string[]>({ shown: 'none', ...common }, [], expected, (value) => {
    const list = value.split(',').map((one) => one.trim().toLowerCase());
    return list.every((one) => pattern.test(one)) ? list : undefined;
  });
}

/** Addresses by name (`tiktok=https://example.com/hook`), separated by commas; each stays as it was written. */
export function channelAddresses(common: Common): Setting<readonly string[]> {
  const expected = 'addresses such as tiktok=https://example.com/hook, separated by commas';
  return setting<readonly string[]>({ shown: 'none', unit: 'addresses', ...common }, [], expected, (value) => {
    const list = value.split(',').map((one) => one.trim());
    return list.every(
      (one) =>
        /^[a-z][a-z_]{1,39}=https?:\/\/[^\s,]{1,1000}$/.test(one) && URL.canParse(one.slice(one.indexOf('=') + 1)),
    )
      ? list
      : undefined;
  });
}
