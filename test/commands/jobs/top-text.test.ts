import { expect, test } from 'vitest';
import { shortTime, topLines } from '#src/commands/jobs/top-text.ts';

type Figures = Parameters<typeof topLines>[0];
type Queue = Figures['queues'][number];

const queue = (name: string, more: Partial<Queue> = {}): Queue => ({
  name,
  title: '',
  surface: '',
  fleets: [],
  paused: null,
  depth: { queued: 0, delayed: 0, running: 0, waiting: 0, held: 0, awaiting_approval: 0 },
  oldest_waiting_seconds: 0,
  workers: 1,
  versions: [{ version: 1, workers: 1, queued: 0, delayed: 0, oldest_waiting_seconds: 0, warning: null }],
  drain_seconds: 0,
  finished: { succeeded: 0, failed: 0, cancelled: 0 },
  per_minute: 0,
  attempts: 1,
  timeout_ms: 1,
  ...more,
});

const reason = 'the vendor answers with nonsense \u001b[2J\nuntil Monday at the earliest, and maybe for longer';
const figures: Figures = {
  at: '2026-11-22T10:00:00.000Z',
  whose: 'all',
  queues: [
    ...Array.from({ length: 20 }, (_, n) => queue(`idle.queue-${n}`)),
    queue('busy.one', {
      depth: { queued: 1_234, delayed: 1, running: 20, waiting: 4, held: 2, awaiting_approval: 3 },
      oldest_waiting_seconds: 725,
      drain_seconds: null,
    }),
    queue('braked.one', { paused: { at: '2026-11-22T09:00:00.000Z', by: 'op', reason } }),
  ],
  fleets: [
    {
      name: 'studio',
      queues: [],
      workers: [{ id: '', host: 'here', pid: 7, started_at: '', beat_at: '', running: 3, suspects: false }],
    },
    { name: 'analytics', queues: [], workers: [] },
  ],
  workers: { total: 0, list: [] },
};

const worker: Figures['workers']['list'][number] = {
  id: '',
  owner: 'owner-1',
  name: 'box \u001b[2J',
  queues: [{ name: 'acme.resize-image', versions: [2, 1] }],
  capacity: 10,
  credits: 3,
  running: 7,
  sdk: null,
  started_at: '',
  beat_at: '',
};

test('figures fit every frame, and the busiest are shown where not all are', () => {
  for (const columns of [24, 40, 60, 80, 120, 200]) {
    for (const rows of [8, 12, 24, 30, 60]) {
      const lines = topLines(figures, { columns, rows }, 3);
      expect(lines.length).toBeLessThanOrEqual(rows - 3);
      expect(lines.filter((line) => line.length > columns || /\p{C}/u.test(line))).toEqual([]);
      const text = lines.join('\n');
      for (const part of ['busy.one', 'braked.one', 'queued'])
        expect([columns, rows, text]).toContainEqual(expect.stringContaining(part));
    }
  }
});

test('a wide frame shows all of it, a narrow one what counts most, and the reason of a pause as far as it goes', () => {
  const wide = topLines(figures, { columns: 200, rows: 60 }, 3).join('\n');
  expect(wide).toMatch(/^busy\.one +1234 +1 +20 +4 +2 +3 +12m +never +· +· +·$/m);
  expect(wide).toMatch(/^braked\.one .* paused by op: the vendor answers with nonsense \u{FFFD}\[2J until Monday/mu);
  expect(wide).toMatch(/^studio +1 +3 {2}here:7\nanalytics +· +·$/m);
  const narrow = topLines(figures, { columns: 60, rows: 12 }, 3).join('\n');
  expect(narrow).toMatch(/^queue +queued +running +.*failed 5m/m);
  expect(narrow).not.toContain('approval');
  expect(narrow).toMatch(/^… \d+ more queues, all idle$/m);
  expect(narrow).toMatch(/^workers: studio 1, analytics 0$/m);
});

test('workers elsewhere are listed where there is room, else said in a line, and how many there are beside those', () => {
  const many = { ...figures, workers: { total: 5, list: [worker, worker] } };
  const wide = topLines(many, { columns: 200, rows: 60 }, 3).join('\n');
  expect(wide).toMatch(/^elsewhere +in hand +free +at once$/m);
  expect(wide).toMatch(/^box \u{FFFD}\[2J +7 +3 +10 {2}acme\.resize-image@2,1\n.*\n… 3 more workers$/mu);
  const narrow = topLines(many, { columns: 80, rows: 12 }, 3);
  expect(narrow.slice(-2)).toEqual([
    'workers: studio 1, analytics 0',
    'elsewhere: 5 workers, of the first 2 14 of 20 hands busy',
  ]);
});

test('a registered queue says which versions no worker takes; one of ours that no worker runs', () => {
  const version = { version: 2, workers: 0, queued: 5, delayed: 0, oldest_waiting_seconds: 9 };
  const queues = [
    queue('acme.resize-image', { workers: 0, versions: [{ ...version, warning: 'no worker takes it' }] }),
    queue('studio.render', { workers: 0, fleets: ['studio'] }),
  ];
  const lines = topLines({ ...figures, queues }, { columns: 200, rows: 60 }, 3).join('\n');
  expect(lines).toMatch(/^acme\.resize-image .* {2}no worker takes it$/m);
  expect(lines).toMatch(/^studio\.render .* {2}no worker$/m);
});

test('a terminal of the usual size says which queue is paused', () => {
  const lines = topLines(figures, { columns: 80, rows: 24 }, 3).join('\n');
  expect(lines).toMatch(/^braked\.one .* paused [b…]/m);
});

test.each([
  [45, '45s'],
  [99.6, '2m'],
  [725, '12m'],
  [7_200, '2h'],
  [900_000, '10d'],
])('%s seconds are %s', (seconds, text) => {
  expect(shortTime(seconds)).toBe(text);
});
