import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';

/** Bytes of results that one process has in hand for the nodes whose jobs it stores: those of the largest node fit. */
export const ROOM_BYTES = 67_108_864;
/** Nodes of more than one page that one process stores at the same time: it moves more flows, so that small ones pass. */
const MOST_LONG = 4;

/** Room for the results of one node; disposed of, others have it. */
export interface Room extends Disposable {
  /** Asks to go on after the first page; false while others do that. */
  readonly lengthen: () => boolean;
}

const usedOf = perContext(() => ({ bytes: 0, long: 0 }));

/** Takes room for the results of a node; null while others have it. */
export function takeRoom(context: Context, bytes: number, isLong = false): Room | null {
  const used = usedOf(context);
  if (used.bytes > 0 && used.bytes + bytes > ROOM_BYTES) return null;
  let long = false;
  const lengthen = () => {
    if (!long && used.long < MOST_LONG) {
      used.long++;
      long = true;
    }
    return long;
  };
  if (isLong && !lengthen()) return null;
  used.bytes += bytes;
  let isTaken = true;
  return {
    lengthen,
    [Symbol.dispose]: () => {
      if (!isTaken) return;
      isTaken = false;
      used.bytes -= bytes;
      if (long) used.long--;
    },
  };
}
