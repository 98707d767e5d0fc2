interface Place {
  readonly node: string | null;
  readonly item: number | null;
  readonly step: string | null;
  /** Number of jobs of the node, where it is known. */
  readonly jobs?: number | null;
}

/** Writes which of its parent's children a job is: the node and the item of a flow, or the step; empty where nothing says. */
export function childPlaceText({ node, item, step, jobs }: Place): string {
  if (step !== null) return `step ${step}`;
  if (node === null) return '';
  if (item === null) return `node ${node}, before a redrive`;
  if (jobs === undefined || jobs === null) return `node ${node}[${item}]`;
  return jobs === 1 ? `node ${node}` : `node ${node}[${item}], one of ${jobs}`;
}
