/** One of the APIs, with a call that shows what it is for. */
export interface Surface {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly scope: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

export const surfaces: readonly Surface[] = [
  {
    name: 'studio',
    title: 'Studio',
    about: 'From a brief to published packages. Nothing is spent before a person has approved exactly that.',
    scope: 'studio.brief',
    method: 'POST',
    path: '/api/studio/v1/brief',
    body: {
      mode: 'video',
      title: 'Harbour',
      prompt: 'A harbour wakes. Boats go out into the mist.',
      targetFormats: ['9:16 720p 6s'],
      channels: ['tiktok'],
    },
  },
  {
    name: 'missions',
    title: 'Missions',
    about: 'A goal in words, planned into steps, run, and sealed into a receipt. The key needs a human behind it.',
    scope: 'platform.mcp.execute',
    method: 'POST',
    path: '/api/v1/missions',
    body: { goal: 'Take a snapshot of SPX, then stress SPX by a drop of 3%', budgetUsd: 1 },
  },
  {
    name: 'platform',
    title: 'Platform',
    about:
      'Text, pictures, film, speech and music from many providers behind one address; OpenAI’s clients work with it.',
    scope: 'platform.mcp.execute',
    method: 'POST',
    path: '/api/v2/images/generate',
    body: { prompt: 'A lighthouse at dawn', routing: { policy: 'cost_guarded' } },
  },
  {
    name: 'market',
    title: 'Market',
    about: 'What option dealers hold, what it makes them trade, and how sure one can be of it.',
    scope: 'platform.mcp.read',
    method: 'GET',
    path: '/v1/gex/SPX',
  },
];

/** Descriptions for programs and for people. */
export const documents: readonly { readonly title: string; readonly path: string; readonly about: string }[] = [
  { title: 'Try the platform', path: '/api/docs', about: 'A page that calls it from your browser' },
  { title: 'Everything', path: '/v1/openapi.json', about: 'OpenAPI 3.1, every route; jobs and the market are here' },
  { title: 'Studio', path: '/api/studio/v1/openapi', about: 'OpenAPI 3.1' },
  { title: 'Missions and receipts', path: '/api/v1/openapi.json', about: 'OpenAPI 3.1' },
  { title: 'Platform', path: '/api/openapi.json', about: 'OpenAPI 3.1' },
  { title: 'Streams', path: '/v1/asyncapi.json', about: 'AsyncAPI: every event, by SSE and WebSocket' },
];
