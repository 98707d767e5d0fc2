import type { VersionNegotiationMode } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { connect, type McpApi, mcpApi } from './mcp-api.ts';
import { counting, failing, waitingTool } from './trial-tools.ts';

const eras: readonly [VersionNegotiationMode, string][] = [
  ['legacy', '2025-11-25'],
  ['auto', '2026-07-28'],
];

async function connected(api: McpApi, mode: VersionNegotiationMode, request = {}) {
  const { secret } = await api.key(request);
  return await connect(api.url, secret, { versionNegotiation: { mode } });
}

test.each(eras)('the official client (%s) lists and calls tools; answers fit their schemas', async (mode, version) => {
  await using api = await mcpApi({ tools: [counting, failing] });
  await using session = await connected(api, mode);
  const { client } = session;
  expect(client.getNegotiatedProtocolVersion()).toBe(version);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['trial_count', 'trial_fail']);
  expect(tools[0]).toMatchObject({
    title: 'Count',
    annotations: { readOnlyHint: true },
    inputSchema: { type: 'object', additionalProperties: false },
    outputSchema: { type: 'object', required: ['counted', 'owner', 'base'] },
  });
  const told: string[] = [];
  const marks: number[] = [];
  const answer = await client.callTool(
    { name: 'trial_count', arguments: { to: 3 } },
    { onprogress: ({ progress, message = '' }) => void (marks.push(progress), told.push(message)) },
  );
  const output = { counted: 3, owner: 'owner-1', base: api.url.origin };
  expect(answer.structuredContent).toEqual(output);
  expect(answer.content).toEqual([
    { type: 'text', text: JSON.stringify(output) },
    expect.objectContaining({ type: 'resource_link', uri: 'receipt://1' }),
  ]);
  expect(marks).toEqual([1, 2, 3]);
  expect(told).toEqual(['1 of 3', '2 of 3', '3 of 3']);
});

test.each(eras)('a call that fails says why in words (%s), and of our faults nothing else', async (mode) => {
  await using api = await mcpApi({ tools: [counting, failing] });
  await using session = await connected(api, mode);
  const call = async (name: string, input: Record<string, unknown>) => {
    const { isError, content } = await session.client.callTool({ name, arguments: input });
    expect(isError).toBe(true);
    return (content[0] as { text: string }).text;
  };
  expect(JSON.parse(await call('trial_fail', { how: 'ours' }))).toEqual({
    code: 'state_conflict',
    title: 'State Conflict',
    status: 409,
    detail: 'expected a planned mission, got one that is sealed.',
    details: { state: 'sealed' },
  });
  const bug = await call('trial_fail', { how: 'bug' });
  expect(JSON.parse(bug)).toMatchObject({ code: 'internal', status: 500 });
  expect(bug).not.toContain('passwd');
  expect(await call('trial_count', { to: 11 })).toContain('arguments.to: expected a number of at most 10, got 11.');
  expect(await call('trial_count', { to: 1, more: 1 })).toContain('arguments.more: expected no such property');
  expect(await call('trial_fail', { how: 'shape' })).toContain('answer.fine: expected boolean, got "no"');
  // the default of a schema holds for tools as it does for routes
  const { structuredContent } = await session.client.callTool({ name: 'trial_count' });
  expect(structuredContent).toMatchObject({ counted: 3 });
  await expect(session.client.callTool({ name: 'nothing' })).rejects.toMatchObject({ code: -32_602 });
});

test.each(eras)('a call that is taken back stops waiting (%s)', async (mode) => {
  const { waiting, began, stopped } = waitingTool();
  await using api = await mcpApi({ tools: [waiting] });
  await using session = await connected(api, mode);
  const leave = new AbortController();
  const call = session.client.callTool({ name: 'trial_wait' }, { signal: leave.signal });
  await began;
  leave.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
  await stopped;
});

test.each(eras)('a key without the scope of a tool is refused that tool alone (%s)', async (mode) => {
  await using api = await mcpApi({ tools: [counting, failing] });
  await using session = await connected(api, mode, { scopes: ['platform.mcp.read'] });
  expect((await session.client.listTools()).tools).toHaveLength(2);
  expect(await session.client.callTool({ name: 'trial_count' })).toMatchObject({ structuredContent: { counted: 3 } });
  await expect(session.client.callTool({ name: 'trial_fail', arguments: { how: 'ours' } })).rejects.toThrow(/scope/i);
});

test.each(eras)('a process that stops ends what waits, with what there is (%s)', async (mode) => {
  const { waiting, began } = waitingTool();
  await using api = await mcpApi({ tools: [waiting] });
  await using session = await connected(api, mode);
  const call = session.client.callTool({ name: 'trial_wait' });
  await began;
  await api.app.close();
  // an answer, not a connection that was cut
  expect((await call).structuredContent).toEqual({ stopped: true });
});
