import { type Static, Type } from 'typebox';

/** The tools whose names answers carry; a route answers as the tool that does the same. */
export const studioTools = [
  'studio_explore',
  'studio_brief',
  'studio_plan',
  'studio_render',
  'studio_publish',
  'studio_analyze',
  'studio_operate',
] as const;
export type StudioTool = (typeof studioTools)[number];

/** Answer of every tool and most routes of the studio. */
export const Envelope = Type.Object(
  {
    tool: Type.String({ description: 'The tool that does this' }),
    status: Type.Enum(['ok'], { type: 'string' }),
    warnings: Type.Array(Type.String(), { description: 'Warnings, in sentences' }),
    resources: Type.Array(Type.String(), { description: 'Resources with more of it, as studio:// addresses' }),
    output: Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', additionalProperties: true }),
    persistence: Type.Optional(
      Type.Unsafe<Readonly<Record<string, unknown>>>({
        type: 'object',
        additionalProperties: true,
        description: 'Storage of the records',
      }),
    ),
  },
  { $id: 'StudioEnvelope', additionalProperties: false, description: 'The tool result envelope' },
);
export type Envelope = Static<typeof Envelope>;

/** Answer of a tool before a route adds the place where it is stored. */
export interface Outcome {
  readonly output: Readonly<Record<string, unknown>>;
  readonly warnings?: readonly string[];
  readonly resources?: readonly string[];
}

export function envelopeOf(tool: string, { output, warnings = [], resources = [] }: Outcome): Envelope {
  return { tool, status: 'ok', warnings: [...warnings], resources: [...resources], output };
}

/** Storage of briefs, plans, jobs and events; added by the routes alone. */
export const persistence = {
  store: 'postgres',
  durable: true,
  ledger: 'events are stored and can be replayed: GET /api/studio/v1/events',
} as const;
