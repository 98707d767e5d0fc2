import { expect, test } from 'vitest';
import { linkedAsset } from '#src/studio/model/asset-view.ts';
import { testApi } from '#test/http/api.ts';
import { keep, testHome } from '#test/providers/asset-world.ts';

const addresses = {
  PUBLIC_URL: 'https://all.example',
  STUDIO_PUBLIC_URL: 'https://studio.example',
  MISSIONS_PUBLIC_URL: 'https://missions.example/below',
  PLATFORM_PUBLIC_URL: 'https://platform.example',
};

test('each surface names its own public address in its links; what has none names that of the service', async () => {
  await using home = await testHome();
  await using api = await testApi({ ...addresses, PROOFLINE_HOME: home.path });
  const read = async (url: string, host = 'anything.example') =>
    (await api.app.inject({ url, headers: { host, 'x-forwarded-proto': 'https' } })).json();
  const { urls } = (await read('/api/studio/v1')).output;
  expect(urls).toMatchObject({
    discovery: 'https://studio.example/api/studio/v1',
    platform_v2_api: 'https://platform.example/api/v2',
  });
  expect((await read('/api/studio/v1/openapi')).servers).toEqual([{ url: 'https://studio.example' }]);
  expect((await read('/api/v1/openapi.json')).servers).toEqual([{ url: 'https://missions.example/below' }]);
  expect((await read('/v1/openapi.json')).servers).toEqual([{ url: 'https://all.example' }]);
  const asset = await keep(api.context);
  expect(linkedAsset(api.context, asset).url).toMatch(/^https:\/\/studio\.example\/v1\/artefacts\//);
});

test('machine clients may come by any of the addresses, and are told the one that they came by', async () => {
  await using api = await testApi({ ...addresses, TRUST_PROXY_HOPS: '1' });
  const { headers: key } = await api.key();
  const ask = async (host: string) =>
    await api.app.inject({
      method: 'POST',
      url: '/api/mcp',
      headers: {
        ...key,
        host,
        'x-forwarded-proto': 'https',
        accept: 'application/json, text/event-stream',
        origin: `https://${host}`,
      },
      payload: { jsonrpc: '2.0', id: 1, method: 'ping' },
    });
  for (const host of ['all.example', 'studio.example', 'missions.example']) {
    expect((await ask(host)).statusCode, host).not.toBe(403);
    const url = '/.well-known/oauth-protected-resource';
    const { resource } = (await api.app.inject({ url, headers: { host, 'x-forwarded-proto': 'https' } })).json();
    expect(resource).toBe(`https://${host}/api/mcp`);
  }
  expect((await ask('other.example')).statusCode).toBe(403);
});
