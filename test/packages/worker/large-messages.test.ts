import { expect, test } from 'vitest';
import { largeBeside, type Transport } from '#packages/worker/src/serve/transport.ts';

test('a message that a socket would be closed for goes beside it, and no other', async () => {
  const sent: string[] = [];
  const way = (name: string): Transport => ({
    send: async <Answer>(kind: string, _worker: string | null, text: string) => {
      sent.push(`${kind} of ${text.length} by ${name}`);
      return {} as Answer;
    },
    close: () => sent.push(`${name} closed`),
  });
  const both = largeBeside(way('socket'), way('http'));
  for (const length of [2, 300_000, 300_001]) await both.send('report', 'w', 'x'.repeat(length), { timeoutMs: 1 });
  both.close();
  expect(sent).toEqual([
    'report of 2 by socket',
    'report of 300000 by socket',
    'report of 300001 by http',
    'socket closed',
  ]);
});
