import { expect, test } from 'vitest';
import type { StoredNode } from '#queues/flows.ts';
import { decideNodes } from '#src/jobs/flows/decide-nodes.ts';
import type { NodeRow } from '#src/jobs/flows/flow-rows.ts';

const node = (name: string, after: readonly string[] = [], policy: StoredNode['on_failure'] = 'fail'): StoredNode => ({
  name,
  queue: 'acme.take-any',
  version: 1,
  payload: null,
  depends_on: [...after],
  on_failure: policy,
});
const row = (name: string, state: NodeRow['state'], counts: Partial<NodeRow> = {}): NodeRow => ({
  name,
  state,
  total: null,
  submitted: 0,
  succeeded: 0,
  failed: 0,
  cancelled: 0,
  error: null,
  beganAt: null,
  endedAt: null,
  ...counts,
});

test('what waits for nothing begins, and what waits for that does not', () => {
  const nodes = [node('a'), node('b', ['a'])];
  expect(decideNodes(nodes, [row('a', 'pending'), row('b', 'pending')])).toEqual({
    changes: [{ name: 'a', state: 'running' }],
    next: 'go',
  });
});

test('a node has ended with the last of its jobs, and not before all are stored', () => {
  const nodes = [node('a', [], 'continue'), node('b', ['a'])];
  const some = row('a', 'running', { total: 3, submitted: 2, succeeded: 2 });
  expect(decideNodes(nodes, [some, row('b', 'pending')]).changes).toEqual([]);
  const all = row('a', 'running', { total: 3, submitted: 3, succeeded: 2, failed: 1 });
  expect(decideNodes(nodes, [all, row('b', 'pending')]).changes).toEqual([
    { name: 'a', state: 'failed' },
    { name: 'b', state: 'running' },
  ]);
});

test('the first failure of a node that the flow cannot do without stops it; what has not begun never will', () => {
  const nodes = [node('a'), node('b'), node('c', ['b'])];
  const failing = row('a', 'running', { total: 3, submitted: 3, failed: 1 });
  expect(decideNodes(nodes, [failing, row('b', 'running', { total: 1, submitted: 1 }), row('c', 'pending')])).toEqual({
    changes: [
      { name: 'a', state: 'failed' },
      { name: 'c', state: 'skipped' },
    ],
    next: 'stop',
  });
});

test('nodes behind one that may be passed over are passed over, all the way, and the flow ends', () => {
  const nodes = [node('a', [], 'skip'), node('b', ['a']), node('c', ['b'])];
  const failed = row('a', 'running', { total: 1, submitted: 1, failed: 1 });
  expect(decideNodes(nodes, [failed, row('b', 'pending'), row('c', 'pending')])).toEqual({
    changes: [
      { name: 'a', state: 'failed' },
      { name: 'b', state: 'skipped' },
      { name: 'c', state: 'skipped' },
    ],
    next: 'end',
  });
});
