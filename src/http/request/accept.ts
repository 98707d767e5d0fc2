/**
 * How much a client wants a media type by its `Accept`, 0 to 1 (RFC 9110, 12.5.1): 0 for one that is not named, as a
 * wildcard leaves the choice to the server.
 */
export function wishFor(type: string, header: string | undefined): number {
  for (const range of (header ?? '').toLowerCase().split(',')) {
    const [name, ...parameters] = range.split(';').map((part) => part.trim());
    if (name !== type) continue;
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    if (weight === undefined) return 1;
    return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0;
  }
  return 0;
}
