import { addFixtures } from './conformance-fixtures.ts';
import { type McpApi, mcpApi } from './mcp-api.ts';

/** The route as the service has it, with the suite's fixtures behind it and a key on every request: the suite can send none. */
export async function conformanceServer(): Promise<McpApi> {
  const api = await mcpApi({ extend: addFixtures }, { RATE_HIGH_PER_MINUTE: '100000' });
  const { secret } = await api.key({ tier: 'high' });
  api.app.server.prependListener('request', ({ headers }) => {
    headers['x-api-key'] ??= secret;
  });
  return api;
}
