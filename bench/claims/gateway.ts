import { writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChatLoad, ChatTimes, Target } from '#bench/children/chat-load.ts';
import type { Wanted } from '#bench/children/chat-upstream.ts';
import { type Helper, type Memory, startHelper } from '#bench/lib/calls.ts';
import { type Claim, interleaved } from '#bench/lib/claim.ts';
import { atLeast, atMost, figure, spreadText, table } from '#bench/lib/markdown.ts';
import { percentile, spread } from '#bench/lib/statistics.ts';

/** Streams that are held open while memory is read. */
const FEW = 50;
const MANY = 850;

interface Work {
  readonly name: string;
  readonly stream: boolean;
  readonly clients: number;
  readonly count: number;
  readonly wanted: Wanted;
}

interface Case extends Work {
  readonly by: 'directly' | 'gateway';
}

const works: readonly Work[] = [
  { name: 'answers, 1 client', stream: false, clients: 1, count: 400, wanted: { tokens: 16, everyMs: 0 } },
  { name: 'answers, 32 clients', stream: false, clients: 32, count: 3_000, wanted: { tokens: 16, everyMs: 0 } },
  { name: 'streams, 1 client', stream: true, clients: 1, count: 400, wanted: { tokens: 16, everyMs: 0 } },
  { name: 'streams, 8 clients', stream: true, clients: 8, count: 800, wanted: { tokens: 16, everyMs: 0 } },
  { name: '200 streams, at full speed', stream: true, clients: 200, count: 400, wanted: { tokens: 500, everyMs: 0 } },
  { name: '200 streams, 20 ms a token', stream: true, clients: 200, count: 400, wanted: { tokens: 150, everyMs: 20 } },
];
const cases: readonly Case[] = works.flatMap((work) =>
  (['directly', 'gateway'] as const).map((by) => ({ ...work, by, name: `${work.name}, ${by}` })),
);

/** Costs of the gateway compared with calling its provider directly: rates, latency, first tokens, streams, memory. */
export const gateway: Claim = async (servers, { quick, say }) => {
  await using home = await mkdtempDisposable(join(tmpdir(), 'proofline-bench-gateway-'));
  const start = async (name: string, env: Readonly<Record<string, string>>) =>
    await startHelper(new URL(`../children/${name}.ts`, import.meta.url), env);
  await using upstream = await start('chat-upstream', {});
  await using load = await start('chat-load', {});
  const direct: Target = { url: await upstream.call<string>('url'), key: 'none' };
  const providers = join(home.path, 'providers.json');
  writeFileSync(providers, catalogueOf(direct.url));
  const env = { ...(await servers.fresh('ours')), PROOFLINE_HOME: home.path, PROVIDERS_FILE: providers };
  // in a process of its own: what work has left behind would hide what streams hold
  const memory = await measureMemory(await start('gateway', env), load, quick);
  await using api = await start('gateway', env);
  const targets = { directly: direct, gateway: await api.call<Target>('address') };

  const run = async ({ by, count, ...work }: Case, share: number) => {
    const wanted = Math.max(work.clients, Math.ceil(count * share));
    return await load.call<ChatTimes>('run', { ...targets[by], ...work, count: wanted });
  };
  // connections are opened, and code is compiled
  for (const one of cases) await run(one, 0.1);
  const results = await interleaved(cases, quick ? 1 : 3, say, async (one) => await run(one, quick ? 0.1 : 1));
  return sectionOf(results, memory);
};

function catalogueOf(url: string): string {
  const price = { perMillionInput: 1, perMillionOutput: 2 };
  const capabilities = { 'text.generate': { model: 'm', price, latency: { base: 1 }, quality: 0.9 } };
  return JSON.stringify({
    providers: [{ id: 'upstream', title: 'Upstream', style: 'openai-compatible', url, capabilities }],
  });
}

interface Held {
  readonly few: number;
  readonly many: number;
  /** By how many streams they differ. */
  readonly more: number;
  readonly kbEach: number;
}

/** Memory of a process with few streams and with many, each at its first token, after a collection. */
async function measureMemory(process: Helper, load: Helper, quick: boolean): Promise<Held> {
  await using api = process;
  const target = await api.call<Target>('address');
  const more = quick ? 100 : MANY - FEW;
  const hold = async (count: number) => {
    const wanted = { tokens: 1, everyMs: 0, holds: true };
    await load.call('hold', { ...target, wanted, stream: true, clients: 50, count } satisfies ChatLoad);
    return (await api.call<Memory>('memory')).rssMb;
  };
  // the first ones pay for what is loaded once
  await hold(FEW);
  await load.call('close');
  const few = await hold(FEW);
  const many = await hold(more);
  await load.call('close');
  return { few, many, more, kbEach: ((many - few) * 1_024) / more };
}

const median = (list: readonly ChatTimes[], pick: (times: ChatTimes) => number) => spread(list.map(pick)).median;
const firstAt = (share: number) => (times: ChatTimes) => percentile(times.first, share);
const wholeAt = (share: number) => (times: ChatTimes) => percentile(times.whole, share);

function sectionOf(results: ReadonlyMap<Case, readonly ChatTimes[]>, memory: Held) {
  const of = (name: string, by: Case['by']) => [...results].find(([one]) => one.name === `${name}, ${by}`)?.[1] ?? [];
  const added = (name: string, pick: (times: ChatTimes) => number) =>
    median(of(name, 'gateway'), pick) - median(of(name, 'directly'), pick);
  const ratio = (name: string, pick: (times: ChatTimes) => number) =>
    median(of(name, 'gateway'), pick) / median(of(name, 'directly'), pick);
  const perSecond = ({ whole, seconds }: ChatTimes) => whole.length / seconds;
  const tokensPerSecond = ({ tokens, seconds }: ChatTimes) => tokens / seconds;
  return {
    title: 'The gateway beside calling its provider directly',
    body: [
      'A provider that does no work for its answers, one process that calls it, and between them an API process: each in a process of its own, sharing the cores with Postgres. Through the gateway every turn is a job with its intent, its reservation and what it cost, on disk before it is sent and before it ends. All requests are of one key. Min / median / max of the rounds.',
      table(
        ['case', 'requests/s', 'tokens/s', 'first token, p50 ms', 'p99 ms', 'end, p50 ms', 'p99 ms'],
        [...results].map(([{ name }, list]) => [
          name,
          ...[perSecond, tokensPerSecond, firstAt(0.5), firstAt(0.99), wholeAt(0.5), wholeAt(0.99)].map((pick) =>
            spreadText(spread(list.map(pick))),
          ),
        ]),
      ),
      'What the gateway adds, by the medians of the rounds:',
      table(
        [
          'case',
          'requests/s to direct',
          'tokens/s to direct',
          'first token, p50 ms',
          'p99 ms',
          'end, p50 ms',
          'p99 ms',
        ],
        works.map(({ name }) => [
          name,
          ...[perSecond, tokensPerSecond].map((pick) => figure(ratio(name, pick))),
          ...[firstAt(0.5), firstAt(0.99), wholeAt(0.5), wholeAt(0.99)].map((pick) => figure(added(name, pick))),
        ]),
      ),
      `A stream that is open and quiet holds ${figure(memory.kbEach)} kB of the process (RSS after a collection: ${figure(memory.few)} MB with ${FEW} of them, ${figure(memory.many)} MB with ${memory.more} more).`,
    ].join('\n\n'),
    compared: works.map(({ name, stream }) => {
      const pick = stream ? tokensPerSecond : perSecond;
      return {
        what: `gateway, ${name}`,
        unit: stream ? 'tokens/s' : 'answers/s',
        ours: median(of(name, 'gateway'), pick),
        peers: { 'without a gateway': median(of(name, 'directly'), pick) },
      };
    }),
    verdicts: [
      atLeast('the gateway, 32 clients:', 1_500, median(of('answers, 32 clients', 'gateway'), perSecond), 'answers/s'),
      atMost('the gateway adds, 32 clients, at p50', 15, added('answers, 32 clients', wholeAt(0.5)), 'ms'),
      atMost('the gateway adds, 1 client, at p50', 2.5, added('answers, 1 client', wholeAt(0.5)), 'ms'),
      atMost(
        'the gateway adds to a stream’s first token, 1 client, at p50',
        2.5,
        added('streams, 1 client', firstAt(0.5)),
        'ms',
      ),
      atMost(
        'the gateway adds to the first token of 200 paced streams, at p50',
        20,
        added('200 streams, 20 ms a token', firstAt(0.5)),
        'ms',
      ),
      atLeast(
        '200 streams at full speed, to direct,',
        0.6,
        ratio('200 streams, at full speed', tokensPerSecond),
        'times',
      ),
    ],
  };
}
