import { Type } from 'typebox';
import { type Tool, type ToolSurface, tool } from '#src/mcp/model/tool.ts';
import { manifest } from '#src/studio/discovery/manifest.ts';
import { Envelope, envelopeOf, type Outcome } from '#src/studio/edge/envelope.ts';

const domains = ['studio', 'platform'] as const;

/** Facts about the platform, made from the address of each surface for the caller. */
export type PlatformFacts = (base: (surface: ToolSurface) => string) => Readonly<Record<string, unknown>>;

/**
 * The platform's tool that describes this service to clients.
 *
 * @param tools the other tools that this process offers
 * @param facts facts about the platform beside them
 */
export function exploreTool(tools: readonly Tool[], facts: PlatformFacts): Tool {
  return tool({
    name: 'explore',
    title: 'Explore this service',
    description:
      'What there is: domain studio answers the manifest of the creative studio (routes, tools, resources, governance), platform the contract of the generation platform (routes, addresses) and what this process offers to machine clients.',
    surface: ['studio', 'platform'],
    scope: null,
    input: Type.Object(
      { domain: Type.Enum([...domains], { type: 'string', description: 'What to look at' }) },
      { additionalProperties: false },
    ),
    output: Envelope,
    hints: { readOnlyHint: true, openWorldHint: false },
    run: async (_on, { input: { domain }, base }) => ({
      output: envelopeOf(
        'explore',
        domain === 'studio'
          ? manifest(base('studio'), base('platform'))
          : platform(base('platform'), tools, facts(base)),
      ),
    }),
  });
}

/** Describes the platform: its contract, its transport, and the tools that are offered over it. */
function platform(base: string, tools: readonly Tool[], facts: Readonly<Record<string, unknown>>): Outcome {
  const surfaces = [...new Set(tools.flatMap(({ surface }): readonly ToolSurface[] => [surface].flat()))];
  return {
    output: {
      name: 'Proofline',
      ...facts,
      urls: {
        transport: `${base}/api/mcp`,
        openapi: `${base}/v1/openapi.json`,
        asyncapi: `${base}/v1/asyncapi.json`,
        health: `${base}/v1/health`,
        jobs: `${base}/v1/jobs`,
      },
      surfaces,
      tools: tools.map(({ name, title, description, surface, scope, hints }) => ({
        name,
        title,
        description,
        surface,
        scope,
        writesState: hints.readOnlyHint !== true,
      })),
    },
  };
}
