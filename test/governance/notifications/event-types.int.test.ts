import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { signalKinds } from '#src/analytics/domain/signals/signals-schema.ts';
import { alertKinds } from '#src/governance/notifications/alerts/alert.ts';
import { eventTypes, families } from '#src/governance/notifications/endpoints/event-types.ts';
import { batchStatuses } from '#src/platform/batches/batch-store.ts';
import { testApi } from '#test/http/api.ts';

/** Events of streams that no endpoint is notified of, and why. */
const leftOut: Readonly<Record<string, string>> = {
  'job.progress': 'many a second, and nothing that has to be noticed later',
  'log.log': 'a line of a log',
  'operations.operations': 'figures, every second',
  'jobs.job': 'the state of a job, which job.* tells',
  'market.gex': 'figures, many a second',
  'market.levels': 'figures, many a second',
  'market.regime': 'figures; a change of the regime is signal.regime_change',
  'market.signals': 'the signals in force; a new one is signal.*',
};
/** Control messages of every stream. */
const control = ['snapshot', 'reset', 'error', 'revoked', 'heartbeat', 'closed'];

/** Types by which endpoints know an event of a stream. */
const namesOf = (stream: string, type: string): readonly string[] => {
  if (stream === 'job') return [`job.${type}`, `flow.${type}`];
  if (stream === 'mission') return [type.startsWith('mission.') ? type : `mission.${type}`];
  if (stream === 'alerts') return signalKinds.map((kind) => `signal.${kind}`);
  const renamed: Readonly<Record<string, string>> = {
    'approval.requested': 'approval.waiting',
    'approval.granted': 'approval.decided',
    'approval.declined': 'approval.decided',
    'job.retried': 'job.retrying',
  };
  return [renamed[type] ?? type];
};

test('every event of every stream has a type that endpoints can be notified of, or a reason why not', async () => {
  await using api = await testApi();
  const document = (await api.app.inject('/v1/asyncapi.json')).json();
  const channels = Object.entries(document.channels as Record<string, { messages: Record<string, object> }>);
  const messages = channels.flatMap(([channel, { messages: carried }]) => {
    // the same events come by WebSocket; the socket of workers is no stream
    if (!channel.endsWith('_sse')) return [];
    const stream = channel.slice(0, -'_sse'.length);
    return Object.keys(carried).flatMap((key) =>
      key.startsWith(`${stream}_`) ? [{ stream, name: key.slice(stream.length + 1) }] : [],
    );
  });
  const silent = messages.filter(
    ({ stream, name }) =>
      !control.includes(name) &&
      leftOut[`${stream}.${name}`] === undefined &&
      !namesOf(stream, name).some((type) => eventTypes.has(type)),
  );
  expect(silent).toEqual([]);
  expect([...new Set(messages.map(({ stream }) => stream))].toSorted()).toEqual([
    'alerts',
    'job',
    'jobs',
    'log',
    'market',
    'mission',
    'operations',
    'studio',
  ]);
});

test('kinds of signals and ends of batches are those that there are', () => {
  const names = (family: 'signal' | 'alert' | 'batch') => families[family].types.map((type) => type.split('.')[1]);
  expect([names('signal'), names('alert')]).toEqual([[...signalKinds], [...alertKinds, ...signalKinds]]);
  expect(batchStatuses).toEqual(expect.arrayContaining(names('batch')));
});

test('the page names every family and every type', async () => {
  const page = await readFile(new URL('../../../docs/notifications.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  for (const [family, { types }] of Object.entries(families)) {
    const row = rows.find((line) => line.split('|')[1]!.includes(`\`${family}\``)) ?? '';
    const more = family === 'flow' ? (rows.find((line) => line.startsWith('| `job` ')) ?? '') : '';
    for (const type of types) expect(`${row}${more}`).toContain(`\`${type.slice(family.length + 1)}\``);
  }
});
