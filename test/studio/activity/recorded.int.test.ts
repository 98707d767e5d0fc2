import { sql } from 'slonik';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callLog } from '#src/access/call-log.ts';
import type { Principal } from '#src/lib/principal.ts';
import { analyze } from '#src/studio/discovery/analyze-tool.ts';
import { explore } from '#src/studio/discovery/explore.ts';
import { toolTable } from '#src/studio/domain/tool-table.ts';
import { analyzeScopes, analyzeWindows, exploreModes } from '#src/studio/domain/words.ts';
import type { AnalyzeInput } from '#src/studio/edge/inputs.ts';
import { type TestApi, testApi } from '#test/http/api.ts';
import { outputOf, type Rendered, renderedWork } from '#test/studio/work.ts';

let api: TestApi;
let headers: { 'x-api-key': string };
let work: Rendered;
beforeAll(async () => {
  api = await testApi();
  ({ headers } = await api.key());
  work = await renderedWork(api, headers);
});
afterAll(async () => await api[Symbol.asyncDispose]());

const mine: Pick<Principal, 'owner'> = { owner: 'owner-1' };
const another: Pick<Principal, 'owner'> = { owner: 'owner-2' };

describe('monitoring', () => {
  test('reports the records: projects, jobs, approvals, calls', async () => {
    await callLog(api.context).flush();
    const output = await outputOf(api, headers, 'monitoring');
    expect(output).toMatchObject({
      persistence: { store: 'postgres', ownerEvents: { newest: expect.any(Number) } },
      recentProjects: [
        { id: work.brief, plans: [{ id: work.plan, jobs: [{ id: work.render, status: 'succeeded' }] }] },
      ],
      jobs: { counts: { succeeded: 1 }, newest: [{ id: work.render }] },
      approvals: { counts: { used: 1 }, queue: [] },
    });
    const calls = output['toolCalls'] as unknown as { total: number; byCapability: object[] };
    // what was called to make the work, in any order
    expect(calls.byCapability).toEqual(
      expect.arrayContaining(
        ['studio.brief', 'studio.plan', 'studio.render'].map((capability) =>
          expect.objectContaining({ capability, via: 'http', calls: 1, failed: 0 }),
        ),
      ),
    );
    expect(calls.total).toBeGreaterThanOrEqual(3);
  });

  test('shows nothing of another owner', async () => {
    const { headers: other } = await api.key({ owner: 'owner-2' });
    expect(await outputOf(api, other, 'monitoring')).toMatchObject({
      recentProjects: [],
      jobs: { counts: {}, newest: [] },
      approvals: { counts: {}, queue: [] },
    });
  });
});

describe('explore', () => {
  const itemsOf = async (input: Parameters<typeof explore>[2], who = mine) => {
    const { output } = await explore(api.context, who, input);
    return output['items'] as Record<string, unknown>[];
  };

  test.for(exploreModes)('%s has something to show', async (mode) => {
    expect(await itemsOf({ mode })).not.toHaveLength(0);
  });

  test.for(['assets', 'jobs', 'plans', 'approvals'] as const)('%s of another owner are not shown', async (mode) => {
    expect(await itemsOf({ mode }, another)).toEqual([]);
  });

  test('finds by words, by capability, and at most as many as requested', async () => {
    expect(await itemsOf({ mode: 'plans', query: 'HARBOUR wakes' })).toHaveLength(1);
    expect(await itemsOf({ mode: 'plans', query: 'harbour sleeps' })).toEqual([]);
    const withFilm = { capability: 'video.generate' };
    expect((await itemsOf({ mode: 'jobs', ...withFilm })).map(({ id }) => id)).toEqual([work.render]);
    expect((await itemsOf({ mode: 'assets', ...withFilm })).map(({ id }) => id)).toEqual([work.asset]);
    const [film] = (await itemsOf({ mode: 'assets' })) as { links: { content: string } }[];
    // the address is one that the route of contents takes: what it cannot have is only the bytes, which nobody put there
    const content = await api.app.inject({ url: film?.links.content ?? '', headers });
    expect(content.statusCode).not.toBe(400);
    expect(await itemsOf({ mode: 'approvals', ...withFilm })).toHaveLength(1);
    expect(await itemsOf({ mode: 'providers', capability: 'audio.transcribe' })).toEqual([]);
    const { output } = await explore(api.context, mine, { mode: 'api', limit: 3 });
    expect(output).toMatchObject({ count: 3, more: true });
  });

  test('workflows go from brief to package in each mode, by the recipes of plans', async () => {
    const [video] = await itemsOf({ mode: 'workflows', query: 'video-brief-to-package' });
    expect(video).toMatchObject({
      mode: 'video',
      calls: expect.arrayContaining([expect.objectContaining({ capability: 'video.generate' })]),
    });
    const steps = video?.['steps'] as { step: string; gated: boolean }[];
    expect(steps.map(({ step }) => step).join(' ')).toBe(
      'brief plan dry-run approve-render render publish-dry-run approve-publish package',
    );
  });
});

describe('analyze', () => {
  const figuresOf = async (input: AnalyzeInput, who = mine) => {
    const { output } = await analyze(api.context, who, input);
    return output as { figures: Record<string, unknown>; findings: string[] };
  };

  test.for(analyzeScopes.flatMap((scope) => analyzeWindows.map((window) => [scope, window] as const)))(
    '%s over %s',
    async ([scope, window]) => {
      const { figures, findings } = await figuresOf({ scope, window });
      expect(Object.keys(figures)).not.toHaveLength(0);
      expect(findings).toEqual(findings.map(() => expect.any(String)));
    },
  );

  test('each scope names the resources it is of, all of them among those of the tool', async () => {
    const named = await Promise.all(analyzeScopes.map(async (scope) => await analyze(api.context, mine, { scope })));
    const row = toolTable.find(({ name }) => name === 'studio_analyze')?.resources ?? [];
    expect(new Set(named.flatMap(({ resources = [] }) => resources))).toEqual(new Set(row));
    const jobs = await analyze(api.context, mine, { scope: 'jobs' });
    expect(jobs.resources).toEqual(['studio://observability/current', 'studio://jobs/index']);
  });

  test('spend is what the calls cost, by day and provider, and what waits for a decision', async () => {
    const { figures, findings } = await figuresOf({ scope: 'spend' });
    expect(figures).toMatchObject({
      settledUsd: 0.02,
      quotedUsd: 0.01,
      reservedUsd: 0,
      calls: 1,
      callsAboveQuote: 1,
      byDay: [{ provider: 'local-animatic', calls: 1, settledUsd: 0.02 }],
      openApprovals: { count: 0, ceilingUsd: 0 },
    });
    expect(findings).toEqual(['1 call cost more than quoted.']);
  });

  test('a mode leaves out the work of others, and so does the window', async () => {
    expect((await figuresOf({ scope: 'spend', mode: 'publish' })).figures).toMatchObject({ calls: 1 });
    expect((await figuresOf({ scope: 'spend', mode: 'voice' })).figures).toMatchObject({ calls: 0 });
    expect((await figuresOf({ scope: 'jobs', mode: 'voice' })).figures).toMatchObject({ byState: [] });
    await api.context.db.query(sql.unsafe`
      update provider_calls set created_at = now() - interval '2 days' where owner = 'owner-1'`);
    expect((await figuresOf({ scope: 'spend', window: '24h' })).figures).toMatchObject({ calls: 0 });
    expect((await figuresOf({ scope: 'spend', window: '7d' })).figures).toMatchObject({ calls: 1 });
  });

  test('jobs, approvals, providers, assets and publishing say how things stand', async () => {
    expect((await figuresOf({ scope: 'jobs' })).figures).toMatchObject({
      byState: [{ kind: 'render', state: 'succeeded', count: 1 }],
      held: 0,
    });
    expect((await figuresOf({ scope: 'approvals' })).figures).toMatchObject({
      byState: [{ kind: 'render', state: 'used', count: 1 }],
      byArea: [{ area: 'liveProviderSpend', count: 1 }],
      decided: 1,
      decisionSeconds: { p50: expect.any(Number), p95: expect.any(Number) },
      oldestPendingSeconds: null,
    });
    expect((await figuresOf({ scope: 'providers' })).figures).toMatchObject({
      providers: [{ provider: 'local-animatic', calls: 1, settled: 1, costUsd: 0.02 }],
    });
    const assets = await figuresOf({ scope: 'assets' });
    expect(assets.figures).toMatchObject({
      byKind: [{ kind: 'video', mediaType: 'video/mp4', count: 1, bytes: 1000 }],
      films: [{ aspect: '16:9', count: 1, seconds: 6 }],
    });
    expect(assets.findings[0]).toContain('tiktok (9:16)');
    expect((await figuresOf({ scope: 'publishing' })).figures).toMatchObject({
      publications: [],
      renderedPlans: 1,
      readyToPublish: [work.plan],
    });
  });

  test('nothing of another owner is counted', async () => {
    expect((await figuresOf({ scope: 'spend' }, another)).figures).toMatchObject({ calls: 0, settledUsd: 0 });
    expect((await figuresOf({ scope: 'assets' }, another)).figures).toMatchObject({ byKind: [], films: [] });
  });
});
