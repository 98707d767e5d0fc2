import { doctrine } from '#src/studio/domain/doctrine.ts';
import { product, rules } from '#src/studio/domain/product.ts';
import { flagshipMediaRoadmap } from '#src/studio/domain/roadmap.ts';
import { routeTable } from '#src/studio/domain/route-table.ts';
import { resourceTable, toolSummary, toolTable } from '#src/studio/domain/tool-table.ts';
import type { Outcome } from '#src/studio/edge/envelope.ts';

const path = '/api/studio/v1';

/** Ways for callers to authenticate; see section 5 of the studio document. */
const authentication = {
  bearerKey: {
    carrier: 'header Authorization',
    format: 'Bearer sk-platform-<API_KEY>',
    notes: 'A scoped key, from the developer console or the key routes',
  },
  keyHeader: { carrier: 'header X-API-Key', format: '<API_KEY>', notes: 'The same key in a header of its own' },
  session: {
    carrier: 'cookie',
    signIn: '/auth/sign-in',
    notes: 'Signed in through an identity provider with an allowlist; decisions and key management take one',
  },
} as const;

/** @param base address of the studio, without a path @param platform that of the platform */
export function urlsOf(base: string, platform: string) {
  return {
    app: base,
    studio: `${base}${path}`,
    providers: `${base}${path}/capabilities`,
    discovery: `${base}${path}`,
    capabilities: `${base}${path}/capabilities`,
    events: `${base}${path}/events`,
    openapi: `${base}${path}/openapi`,
    mcp_manifest: `${base}/.well-known/mcp.json`,
    developer_console: `${base}/developers`,
    api_keys: `${base}${path}/keys`,
    platform_v2_api: `${platform}/api/v2`,
    platform_mcp: `${platform}/api/mcp`,
  };
}

/** Describes the studio: its addresses, rules, tools and routes. The output of the envelope is the manifest itself. */
export function manifest(base: string, platform: string): Outcome {
  return {
    output: {
      ...product,
      urls: urlsOf(base, platform),
      authentication,
      governance: doctrine,
      flagshipMediaRoadmap,
      mcp: {
        implementationStatus: 'live',
        summary: toolSummary,
        tools: toolTable,
        resources: resourceTable,
      },
      routes: routeTable,
    },
    resources: ['studio://api/surface', 'studio://governance/policy'],
  };
}

/** The doctrine, its rules, and what a key needs for what. */
export function policy(): Readonly<Record<string, unknown>> {
  return {
    governance: doctrine,
    rules,
    decisions: {
      who: 'a signed-in person, never a key',
      proofOfPersonhood: ['publishing', 'voiceAndLikeness'],
      at: '/api/studio/v1/approvals/{id}/decision',
    },
    scopes: Object.fromEntries(toolTable.map(({ name, scope }) => [name, scope])),
  };
}
