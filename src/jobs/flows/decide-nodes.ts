import type { StoredNode } from '#queues/flows.ts';
import type { NodeRow, NodeState } from './flow-rows.ts';

/** A node whose state changes. */
export interface NodeChange {
  readonly name: string;
  readonly state: NodeState;
}

/** Next states of nodes, and what is to be done with the flow. */
export interface Decision {
  readonly changes: readonly NodeChange[];
  /** `stop`: a node failed that the flow cannot do without. `end`: all nodes have ended. `go`: some have not. */
  readonly next: 'go' | 'stop' | 'end';
}

const isBroken = (state: NodeState) => state === 'failed' || state === 'cancelled';

/** Decides from the counts of its nodes how a flow goes on; `nodes` are in an order in which they may run. */
export function decideNodes(nodes: readonly StoredNode[], rows: readonly NodeRow[]): Decision {
  const before = new Map(rows.map((row) => [row.name, row]));
  const states = new Map<string, NodeState>();
  const policies = new Map(nodes.map(({ name, on_failure: policy }) => [name, policy]));
  for (const node of nodes) {
    const row = before.get(node.name);
    if (!row) continue;
    const state = row.state === 'running' ? stateOf(node, row) : row.state;
    states.set(node.name, state);
  }
  const isStopped = nodes.some(
    ({ name, on_failure: policy }) => policy === 'fail' && isBroken(states.get(name) ?? 'pending'),
  );
  for (const { name, depends_on: others } of nodes) {
    if (states.get(name) !== 'pending') continue;
    if (isStopped) {
      states.set(name, 'skipped');
      continue;
    }
    const ends = others.map((other) => ({ state: states.get(other) ?? 'pending', policy: policies.get(other) }));
    if (ends.some(({ state }) => state === 'pending' || state === 'running')) continue;
    const isSkipped = ends.some(({ state, policy }) => state === 'skipped' || (isBroken(state) && policy === 'skip'));
    states.set(name, isSkipped ? 'skipped' : 'running');
  }
  const changes = [...states].flatMap(([name, state]) => (before.get(name)?.state === state ? [] : [{ name, state }]));
  const isUnderWay = [...states.values()].some((state) => state === 'pending' || state === 'running');
  return { changes, next: isStopped ? 'stop' : isUnderWay ? 'go' : 'end' };
}

/** State of a node that has begun: it has ended with its last job, or with the first that it cannot do without. */
function stateOf({ on_failure: policy }: StoredNode, row: NodeRow): NodeState {
  const { total, submitted, succeeded, failed, cancelled } = row;
  const faults = failed + cancelled;
  const isOver = total !== null && submitted >= total && succeeded + faults >= total;
  if (!isOver && !(policy === 'fail' && faults > 0)) return 'running';
  if (faults === 0) return 'succeeded';
  return failed > 0 ? 'failed' : 'cancelled';
}
