import type { AddressInfo } from 'node:net';
import type { Client, VersionNegotiationMode } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callLog } from '#src/access/call-log.ts';
import type { KeyRequest } from '#src/access/keys/keys.ts';
import { publishOwnerEvents, tellOwner } from '#src/governance/owners/owner-log.ts';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { offerOf } from '#src/mcp/offer.ts';
import { resourceTable, toolTable } from '#src/studio/domain/tool-table.ts';
import type { Envelope } from '#src/studio/edge/envelope.ts';
import { publishJobs } from '#src/studio/live/publish-jobs.ts';
import { type TestApi, testApi } from '#test/http/api.ts';
import { outputOf, type Rendered, renderedWork } from '#test/studio/work.ts';
import { connect } from './mcp-api.ts';

let api: TestApi;
let url: URL;
let headers: { 'x-api-key': string };
let work: Rendered;
beforeAll(async () => {
  api = await testApi();
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  url = new URL(`http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}/api/mcp`);
  ({ headers } = await api.key());
  work = await renderedWork(api, headers);
});
afterAll(async () => await api[Symbol.asyncDispose]());

interface Answer {
  readonly isError?: boolean;
  readonly content: { readonly text?: string }[];
  readonly structuredContent?: { readonly tool: string; readonly status: string; readonly output: Record<string, any> };
}

async function client(mode: VersionNegotiationMode, request: Partial<KeyRequest> = {}) {
  const { secret } = await api.key(request);
  const connected = await connect(url, secret, { versionNegotiation: { mode } });
  return {
    client: connected.client,
    call: async (name: string, input: object) =>
      (await connected.client.callTool({ name, arguments: { ...input } })) as Answer,
    [Symbol.asyncDispose]: () => connected[Symbol.asyncDispose](),
  };
}

const modes: readonly VersionNegotiationMode[] = ['legacy', 'auto'];

test('a process offers the tools of the surfaces that it serves; all eighteen by default', async () => {
  const namesOf = (surfaces: Parameters<typeof offerOf>[0]) => offerOf(surfaces).tools.map(({ name }) => name);
  const studio = toolTable.map(({ name }) => name);
  expect(namesOf(['studio'])).toEqual([...studio, 'explore']);
  expect(namesOf(['missions'])).toHaveLength(6);
  expect(namesOf(['analytics'])).toEqual([]);
  await using one = await client('legacy');
  const { tools } = await one.client.listTools();
  expect(tools).toHaveLength(18);
  for (const { name, writesState } of toolTable) {
    const tool = tools.find((candidate) => candidate.name === name);
    expect(tool?.annotations).toMatchObject({ readOnlyHint: !writesState });
    expect(tool?.outputSchema?.['required']).toEqual(['tool', 'status', 'warnings', 'resources', 'output']);
  }
});

test.for(modes)('a brief becomes a dry run by tools alone, and no more than that (%s)', async (mode) => {
  await using one = await client(mode, { owner: 'owner-tools' });
  const briefed = await one.call('studio_brief', { mode: 'video', prompt: 'A harbour wakes' });
  expect(briefed.structuredContent).toMatchObject({ tool: 'studio_brief', status: 'ok', warnings: [] });
  expect(briefed.content[0]?.text).toBe(JSON.stringify(briefed.structuredContent));
  const planned = await one.call('studio_plan', {
    briefId: briefed.structuredContent?.output['brief'].id,
    budgetUsd: 1,
  });
  const plan = planned.structuredContent?.output['plan'].id as string;
  const dry = await one.call('studio_render', { planId: plan, dryRun: true });
  expect(dry.structuredContent?.output).toMatchObject({ dryRun: true, approval: { status: 'pending' } });
  const found = await one.call('studio_explore', { mode: 'plans', query: plan });
  expect(found.structuredContent?.output).toMatchObject({ count: 1, items: [{ id: plan }] });
  const figures = await one.call('studio_analyze', { scope: 'approvals' });
  expect(figures.structuredContent?.output['figures'].byState).toEqual(
    expect.arrayContaining([expect.objectContaining({ state: 'pending' })]),
  );
  const graph = await one.call('studio_operate', { action: 'inspect_lineage', targetType: 'plan', targetId: plan });
  expect(graph.structuredContent?.output['counts']).toMatchObject({ brief: 1, plan: 1, approval: 1 });
  const refused = await one.call('studio_publish', { planId: plan, channels: ['tiktok'], dryRun: true });
  expect(refused.isError).toBe(true);
  expect(JSON.parse(refused.content[0]?.text ?? '')).toMatchObject({ code: 'state_conflict' });
});

test('calls of tools are recorded as those of routes are', async () => {
  await using one = await client('legacy', { owner: 'owner-calls' });
  await one.call('studio_explore', { mode: 'providers' });
  await one.call('studio_render', { planId: 'none', dryRun: true });
  await callLog(api.context).flush();
  const { headers: own } = await api.key({ owner: 'owner-calls' });
  const { toolCalls } = await outputOf(api, own, 'monitoring');
  expect(toolCalls?.['byCapability']).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ capability: 'studio_explore', via: 'mcp', calls: 1, failed: 0 }),
      expect.objectContaining({ capability: 'studio_render', via: 'mcp', calls: 1, failed: 1 }),
    ]),
  );
});

test.for(toolTable)('$name asks for its scope', async ({ name, scope }) => {
  await using one = await client('legacy', { scopes: ['platform.mcp.read'] });
  await expect(one.call(name, {})).rejects.toThrow(new RegExp(`${scope.replace('.', '\\.')}|403|scope`, 'i'));
});

test('explore tells of the studio and of the platform', async () => {
  await using one = await client('legacy', { scopes: ['platform.mcp.read'] });
  const studio = await one.call('explore', { domain: 'studio' });
  expect(studio.structuredContent).toMatchObject({
    tool: 'explore',
    output: { category: 'Creative Operating System', mcp: { summary: { toolCount: 7 } } },
  });
  const platform = await one.call('explore', { domain: 'platform' });
  expect(platform.structuredContent?.output).toMatchObject({ surfaces: ['missions', 'studio', 'platform'] });
  expect(platform.structuredContent?.output['tools']).toHaveLength(17);
  const { routes, links } = platform.structuredContent?.output['platform'] ?? {};
  expect(routes).toContainEqual(expect.objectContaining({ method: 'GET', path: '/api/v2/capabilities' }));
  expect(links.docs).toBe(new URL('/api/docs', url).href);
});

test.for(resourceTable)('$uri can be read by its owner', async ({ uri }) => {
  await using one = await client('legacy');
  const href = uri.replace('jobs/{id}', `jobs/${work.render}`).replace('plans/{id}', `plans/${work.plan}`);
  const { contents } = await one.client.readResource({ uri: href });
  const [content] = contents as { uri: string; mimeType?: string; text: string }[];
  expect(content).toMatchObject({ uri: href, mimeType: 'application/json' });
  const envelope = JSON.parse(content?.text ?? '{}') as Envelope;
  expect(envelope).toMatchObject({ tool: expect.stringMatching(/^studio_/), status: 'ok', resources: [href] });
  expect(Object.keys(envelope.output)).not.toHaveLength(0);
});

test('what is another owner’s is not there, and no resource is read without the scope', async () => {
  await using other = await client('legacy', { owner: 'owner-2' });
  await expect(other.client.readResource({ uri: `studio://jobs/${work.render}` })).rejects.toThrow('of yours');
  await expect(other.client.readResource({ uri: `studio://plans/${work.plan}` })).rejects.toThrow('of yours');
  const { resources } = await other.client.listResources();
  // the ten that are no templates
  expect(resources.filter(({ uri }) => uri.startsWith('studio://'))).toHaveLength(10);
  await using lesser = await client('legacy', { scopes: ['platform.mcp.read'] });
  await expect(lesser.client.readResource({ uri: 'studio://jobs/index' })).rejects.toThrow(/scope|403/i);
});

const brought = 'studio://observability/current';

/** Subscribes, in the way of the protocol that was agreed, and gives the addresses that are told of. */
async function updatesOf(
  on: Client,
  owner: string,
  uris: readonly string[],
  mode: VersionNegotiationMode,
): Promise<string[]> {
  const heard: string[] = [];
  on.setNotificationHandler('notifications/resources/updated', ({ params: { uri } }) => void heard.push(uri));
  const all = [...uris, brought];
  if (mode === 'auto') await on.listen({ resourceSubscriptions: all });
  else for (const uri of all) await on.subscribeResource({ uri });
  // a client's stream opens when it likes: it is there once something came over it
  const arrives = async () => {
    const event = await api.context.db.transaction(async (tx) => await tellOwner(tx, owner, 'brief.created', {}));
    await publishOwnerEvents(api.context, owner, [event]);
    return heard;
  };
  await expect.poll(arrives, { timeout: 30_000 }).toContain(brought);
  return heard;
}

test.for(modes)('changes of a job are pushed to its owner, and to nobody else (%s)', async (mode) => {
  const { job } = await outputOf(api, headers, 'render', { planId: work.plan, dryRun: false });
  const id = String(job?.['id']);
  await using mine = await client(mode);
  await using other = await client(mode, { owner: 'owner-2' });
  const uris = [`studio://jobs/${id}`, 'studio://jobs/index'];
  const heard = await updatesOf(mine.client, 'owner-1', uris, mode);
  const overheard = await updatesOf(other.client, 'owner-2', uris, mode);
  await cancelJob(api.context, id, 'a test');
  while (await publishJobs(api.context));
  await expect.poll(() => heard, { timeout: 30_000 }).toEqual(expect.arrayContaining(uris));
  // the other hears of its own work, and so of all that came before
  const { headers: own } = await api.key({ owner: 'owner-2' });
  const { plan } = await outputOf(api, own, 'plan', { prompt: 'A harbour sleeps', mode: 'video' });
  await outputOf(api, own, 'render', { planId: plan?.['id'], dryRun: false });
  while (await publishJobs(api.context));
  await expect.poll(() => overheard, { timeout: 30_000 }).toContain('studio://jobs/index');
  expect(overheard).not.toContain(`studio://jobs/${id}`);
  expect(new Set(heard)).toEqual(new Set([...uris, brought]));
});
