import { type Static, Type } from 'typebox';
import { ScopeName, ScopeOrNull } from '#src/access/scope-schema.ts';
import type { ListedRoute } from '#src/http/documents/route-list.ts';
import { routeMethods } from '#src/http/documents/route-list.ts';
import { platformPath } from '#src/platform/edge/platform-plugin.ts';
import { version } from '#src/system/config/version.ts';

const kinds = ['discovery', 'execution', 'orchestration', 'batch', 'record', 'governance'] as const;

/** A route in a list of what there is. */
export const RouteView = Type.Object({
  method: Type.Enum([...routeMethods], { type: 'string' }),
  path: Type.String(),
  purpose: Type.String({ description: 'Purpose, in a line' }),
  auth: Type.Enum(['none', 'optional', 'key'], {
    type: 'string',
    description: '`none`: anybody; `optional`: callers with a key see their own; `key`: a key, or a signed-in browser',
  }),
  scope: ScopeOrNull('Scope that a key must have; null where any will do'),
  human: Type.Boolean({ description: 'True where the key must be bound to a verified human' }),
});

/** Description of the platform: everything that a client needs to begin. */
export const Contract = Type.Object(
  {
    object: Type.Literal('contract'),
    name: Type.String(),
    version: Type.String({ description: 'Version of this release' }),
    contract_version: Type.Literal('v2'),
    base_url: Type.String({ description: 'Base address for clients, those of OpenAI’s kind included' }),
    authentication: Type.Object({
      header: Type.String(),
      format: Type.String(),
      scopes: Type.Object({ execution: ScopeName, reading: ScopeName }),
    }),
    errors: Type.Object({
      media_type: Type.String(),
      also: Type.String({ description: 'Error format for clients of OpenAI’s kind' }),
    }),
    routes: Type.Array(
      Type.Object({
        ...RouteView.properties,
        kind: Type.Enum([...kinds], { type: 'string' }),
        openai: Type.Boolean({ description: 'True for a route for clients of OpenAI’s kind' }),
      }),
    ),
    links: Type.Record(Type.String(), Type.String(), { description: 'Links to further descriptions' }),
  },
  { title: 'PlatformContract' },
);
export type Contract = Static<typeof Contract>;

/** Addresses, without paths. */
export interface Bases {
  readonly platform: string;
  readonly studio: string;
}

/** @param list every route that this process serves */
export function platformContractOf(list: readonly ListedRoute[], { platform, studio }: Bases): Contract {
  const root = platform + platformPath;
  return {
    object: 'contract',
    name: 'Proofline generation platform',
    version,
    contract_version: 'v2',
    base_url: root,
    authentication: {
      header: 'Authorization',
      format: 'Bearer sk-platform-<API_KEY>',
      scopes: { execution: 'platform.mcp.execute', reading: 'platform.mcp.read' },
    },
    errors: { media_type: 'application/problem+json', also: 'error: {message, type, code, param}' },
    routes: list.filter(isOurs).map((route) => ({
      ...routeView(route),
      kind: kindOf(route),
      openai: route.tags.includes('openai'),
    })),
    links: {
      self: root,
      health: `${root}/health`,
      capabilities: `${root}/capabilities`,
      families: `${root}/families`,
      providers: `${root}/providers`,
      models: `${root}/models`,
      integrations: `${root}/integrations/catalog`,
      openapi: `${platform}/api/openapi.json`,
      docs: `${platform}/api/docs`,
      mcp: `${platform}/api/mcp`,
      studio: `${studio}/api/studio/v1`,
    },
  };
}

export function routeView({ method, path, purpose, auth, scope, human }: ListedRoute): Static<typeof RouteView> {
  return { method, path, purpose, auth, scope, human };
}

function isOurs({ path }: ListedRoute): boolean {
  return path === platformPath || path.startsWith(`${platformPath}/`);
}

function kindOf({ method, path, auth, scope }: ListedRoute): (typeof kinds)[number] {
  const [, first = ''] = path.slice(platformPath.length).split('/');
  if (first === 'gov') return 'governance';
  if (first === 'orchestrate') return 'orchestration';
  if (first === 'batch' || first === 'batches') return 'batch';
  if (auth !== 'key') return 'discovery';
  return method === 'POST' && scope === 'platform.mcp.execute' ? 'execution' : 'record';
}
