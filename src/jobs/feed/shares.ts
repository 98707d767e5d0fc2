/** A group of jobs that stand in line. */
export interface Group {
  readonly name: string;
  readonly weight: number;
  /** Jobs of it that may still be fed; none bounds it without. */
  readonly most?: number;
}

export const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, one) => total + one, 0);

/**
 * Divides the free places of a window among groups by their weights, by deficit round robin (Shreedhar and Varghese,
 * 1995): what a group was entitled to and did not get, since places are whole, it keeps for the next time.
 *
 * @returns a function of the groups that stand in line and of the free places; it answers places by group, together no
 *   more than those
 */
export function openShares(): (groups: readonly Group[], places: number) => ReadonlyMap<string, number> {
  let credits = new Map<string, number>();
  return (groups, places) => {
    const weights = sum(groups.map(({ weight }) => weight));
    const entitled = new Map(
      groups.map(({ name, weight }) => [name, (credits.get(name) ?? 0) + (places * weight) / weights]),
    );
    const shares = new Map<string, number>();
    let left = places;
    // the one that waits longest for its next whole place first: a small weight is not rounded away for ever
    const inTurn = groups.toSorted((one, other) => entitled.get(other.name)! - entitled.get(one.name)!);
    for (const { name, most = Infinity } of inTurn) {
      const share = Math.min(Math.floor(entitled.get(name)!), most, left);
      if (share <= 0) continue;
      shares.set(name, share);
      left -= share;
    }
    // places that rounding and bounds have left
    for (let open = inTurn; left > 0 && open.length > 0; ) {
      const each = Math.max(1, Math.floor(left / open.length));
      for (const { name, most = Infinity } of open) {
        const share = shares.get(name) ?? 0;
        const more = Math.min(each, most - share, left);
        if (more > 0) shares.set(name, share + more);
        left -= more;
      }
      open = open.filter(({ name, most = Infinity }) => (shares.get(name) ?? 0) < most);
    }
    // a group that is bounded, or empty, saves up nothing beyond a place
    credits = new Map(
      [...entitled].map(([name, amount]) => [name, Math.max(-1, Math.min(1, amount - (shares.get(name) ?? 0)))]),
    );
    return shares;
  };
}

/** A job with its group, in the order of its group. */
export interface Picked {
  readonly group: string;
}

/** Merges the jobs of groups, each in its order, so that every stretch holds them by their weights. */
export function interleave<P extends Picked>(picked: readonly P[], weightOf: (group: string) => number): P[] {
  const seen = new Map<string, number>();
  const placed = picked.map((job) => {
    const before = seen.get(job.group) ?? 0;
    seen.set(job.group, before + 1);
    return { job, at: (before + 0.5) / weightOf(job.group) };
  });
  return placed.toSorted((one, other) => one.at - other.at).map(({ job }) => job);
}
