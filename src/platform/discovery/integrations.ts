import { type Static, Type } from 'typebox';
import { ScopeOrNull } from '#src/access/scope-schema.ts';
import type { ListedRoute } from '#src/http/documents/route-list.ts';
import type { Config } from '#src/system/config/config-type.ts';
import { RouteView, routeView } from './contract.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });
const surfaceNames = ['studio', 'missions', 'platform', 'analytics', 'service'] as const;
type SurfaceName = (typeof surfaceNames)[number];

/** Interfaces for machine clients (MCP). */
export const MachineOffer = Type.Object({
  tools: Type.Array(
    Type.Object({
      name: Type.String(),
      title: Type.String(),
      description: Type.String(),
      surfaces: Type.Array(Type.Enum([...surfaceNames], { type: 'string' })),
      scope: ScopeOrNull('Scope that a key must have; null where any will do'),
      writes_state: Type.Boolean(),
    }),
  ),
  resources: Type.Array(
    Type.Object({
      uri: Type.String({ description: 'Its address, or the template of theirs' }),
      title: Type.String(),
      description: Type.String(),
    }),
  ),
});
export type MachineOffer = Static<typeof MachineOffer>;

/** Everything that other programs can call here. */
export const Integrations = Type.Object(
  {
    object: Type.Literal('catalog'),
    summary: Type.Object({
      surfaces: Type.Array(Type.Enum([...surfaceNames], { type: 'string' }), {
        description: 'Surfaces that this process serves',
      }),
      api_routes: count('Routes'),
      api_routes_by_surface: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
      public_routes: count('Routes that anybody may call'),
      mcp_tools: count('Tools'),
      mcp_tools_that_write: count('Tools that change something'),
      mcp_resources: count('Resources, templates included'),
      providers: count('Providers of the catalogue'),
      models: count('Models of the catalogue'),
    }),
    api: Type.Array(
      Type.Object({ surface: Type.Enum([...surfaceNames], { type: 'string' }), ...RouteView.properties }),
    ),
    mcp: Type.Object({
      endpoint: Type.String({ description: 'Address at which machine clients connect' }),
      transport: Type.Literal('streamable-http'),
      ...MachineOffer.properties,
    }),
  },
  { title: 'Integrations' },
);
export type Integrations = Static<typeof Integrations>;

interface Sources {
  readonly routes: readonly ListedRoute[];
  readonly machines: MachineOffer;
  readonly config: Pick<Config, 'SURFACES'>;
  /** Address of the platform, without a path. */
  readonly base: string;
  readonly providers: number;
  readonly models: number;
}

/** The catalogue of all surfaces of this process, from the tables that they are served from. */
export function integrationsOf({ routes, machines, config, base, providers, models }: Sources): Integrations {
  const api = routes.map((route) => ({ surface: surfaceOf(route), ...routeView(route) }));
  const bySurface = Map.groupBy(api, ({ surface }) => surface);
  return {
    object: 'catalog',
    summary: {
      surfaces: [...config.SURFACES],
      api_routes: api.length,
      api_routes_by_surface: Object.fromEntries([...bySurface].map(([surface, of]) => [surface, of.length])),
      public_routes: api.filter(({ auth }) => auth !== 'key').length,
      mcp_tools: machines.tools.length,
      mcp_tools_that_write: machines.tools.filter((tool) => tool.writes_state).length,
      mcp_resources: machines.resources.length,
      providers,
      models,
    },
    api,
    mcp: { endpoint: `${base}/api/mcp`, transport: 'streamable-http', ...machines },
  };
}

/** Names the surface of a route. Parts that all surfaces share (jobs, keys, receipts, …) belong to the service. */
function surfaceOf({ tags }: ListedRoute): SurfaceName {
  if (tags.includes('openai')) return 'platform';
  return surfaceNames.find((name) => tags.includes(name)) ?? 'service';
}
