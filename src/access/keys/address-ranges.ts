import ipaddr from 'ipaddr.js';
import { AppError } from '#src/lib/errors.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * A range as it is stored: `10.0.0.0/8`, `2001:db8::/32`, or one address (which becomes /32 or /128). An IPv4 range
 * written in its IPv6-mapped form is stored as the IPv4 range it means.
 *
 * @throws AppError `invalid_request` for anything else.
 */
export function normaliseRange(text: string): string {
  const wrong = () =>
    new AppError(
      'invalid_request',
      `expected an IP address or CIDR range such as 10.0.0.0/8, got ${JSON.stringify(text)}.`,
      {
        field: 'allowed_ips',
        value: text,
      },
    );
  const [host = '', bits] = text.split('/');
  if (!ipaddr.isValid(host) || (bits !== undefined && !/^\d{1,3}$/.test(bits))) throw wrong();
  // "127.1" and "1" are IPv4 addresses to the parser, but hardly ever what was meant
  if (!host.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(host)) throw wrong();
  const parsed = ipaddr.parse(host);
  const address = normalise(parsed);
  const width = address.kind() === 'ipv4' ? 32 : 128;
  const mapped = address.kind() !== parsed.kind();
  const prefix = bits === undefined ? width : Number(bits) - (mapped ? 96 : 0);
  if (prefix < 0 || prefix > width) throw wrong();
  return `${address.toString()}/${prefix}`;
}

/** Checks whether a caller's address lies in one of the ranges; an empty list allows every address. */
export function isAllowed(address: string, ranges: readonly string[]): boolean {
  if (ranges.length === 0) return true;
  if (!ipaddr.isValid(address)) return false;
  const caller = normalise(ipaddr.parse(address));
  return ranges.some((range) => {
    const [base, bits] = ipaddr.parseCIDR(range);
    return base.kind() === caller.kind() && caller.match(base, bits);
  });
}

/**
 * Checks whether every address of a stored range lies in one of the others; an empty list of others means every
 * address.
 */
export function isWithin(range: string, ranges: readonly string[]): boolean {
  if (ranges.length === 0) return true;
  const [address, bits] = ipaddr.parseCIDR(range);
  return ranges.some((outer) => bits >= ipaddr.parseCIDR(outer)[1] && isAllowed(address.toString(), [outer]));
}

/**
 * Returns the block that limits count a caller by: an IPv4 address, or the /64 of an IPv6 one, which one customer of a
 * network gets.
 */
export function addressBlock(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const caller = normalise(ipaddr.parse(address));
  return caller instanceof ipaddr.IPv6
    ? `${ipaddr.IPv6.networkAddressFromCIDR(`${caller.toString()}/64`).toString()}/64`
    : caller.toString();
}

/** A dual-stack socket reports IPv4 callers as `::ffff:a.b.c.d`; both forms are one address. */
function normalise(address: Address): Address {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}
