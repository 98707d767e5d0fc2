import { MOST_CONTENT_BYTES } from '#queues/define.ts';
import type { AppError } from '#src/lib/errors.ts';
import { atPointer } from '#src/lib/json-pointer.ts';
import { fillIn, type Place, placesIn } from './references.ts';

/** Counts the places with one key, such as the same pointer. */
function countBy<P extends Place>(places: readonly P[], key: (place: P) => string): [P, number][] {
  return [...Map.groupBy(places, key).values()].map((same) => [same[0] as P, same.length]);
}

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value ?? null));

/**
 * Returns a function that counts the bytes of the payload of an item without making its text: a small template can
 * stand for a payload that no memory holds.
 *
 * @throws from that function `tooLarge()` for more than one payload or result may have
 */
export function payloadMeter(
  template: unknown,
  results: ReadonlyMap<string, unknown>,
  tooLarge: () => AppError,
): (item: unknown) => number {
  const places = placesIn(template);
  const froms = places.filter((place) => place.kind === 'from');
  const items = countBy(
    places.filter((place) => place.kind === 'item'),
    ({ path }) => path,
  );
  const assertFits = (bytes: number): number => {
    if (bytes > MOST_CONTENT_BYTES) throw tooLarge();
    return bytes;
  };
  let same: number | undefined;
  const sameBytes = () => {
    // each reference stands in it as null
    let bytes = bytesOf(fillIn(template, { results: new Map() })) - 4 * places.length;
    for (const [place, times] of countBy(froms, ({ node: from, path }) => `${from} ${path}`))
      bytes = assertFits(bytes + times * bytesOf(atPointer(results.get(place.node), place.path)));
    return bytes;
  };
  return (item) => {
    same ??= sameBytes();
    let bytes = same;
    for (const [{ path }, times] of items) bytes = assertFits(bytes + times * bytesOf(atPointer(item, path)));
    return assertFits(bytes);
  };
}
