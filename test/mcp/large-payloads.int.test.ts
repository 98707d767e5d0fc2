import { expect, test } from 'vitest';
import { contentsApi, queue, textOf } from '#test/jobs/contents/contents-api.ts';
import { connect } from './mcp-api.ts';

test('a tool submits a payload larger than usual requests, and reads it back', async () => {
  await using api = await contentsApi();
  const url = await api.app.listen({ host: '127.0.0.1', port: 0 });
  const { secret } = await api.key();
  await using one = await connect(new URL('/api/mcp', url), secret);
  const call = async (name: string, input: Record<string, unknown>) => {
    const { structuredContent } = await one.client.callTool({ name, arguments: input });
    return structuredContent as { readonly id: string; readonly payload: string };
  };
  const payload = textOf(3_000_000);
  const { id, payload: shown } = await call('job_submit', { queue, payload });
  expect([shown === payload, (await call('job_read', { job: id })).payload === payload]).toEqual([true, true]);
  expect(await api.stored()).toHaveLength(1);
});
