import type { Tool, ToolSurface } from '#src/mcp/model/tool.ts';
import { receiptResource } from '#src/mcp/resources/receipt-resource.ts';
import { studioResources } from '#src/mcp/resources/studio-resources.ts';
import { executeTool } from '#src/mcp/tools/execute-tool.ts';
import { exploreTool, type PlatformFacts } from '#src/mcp/tools/explore-tool.ts';
import { jobTools } from '#src/mcp/tools/job-tools.ts';
import { missionTools } from '#src/mcp/tools/mission-tools.ts';
import { receiptTools } from '#src/mcp/tools/receipt-tools.ts';
import { studioTools } from '#src/mcp/tools/studio-tools.ts';
import type { MachineOffer } from '#src/platform/discovery/integrations.ts';
import type { Offer } from './make-server.ts';

/** Every tool of this service, in the order in which they are listed. One that is not here is not offered. */
const tools: readonly Tool[] = [
  missionTools.create,
  executeTool,
  missionTools.status,
  receiptTools.get,
  receiptTools.verify,
  missionTools.stats,
  ...studioTools,
  ...jobTools,
];

/** Instructions of each surface for a model before it calls anything. */
const instructions: Readonly<Record<ToolSurface, readonly string[]>> = {
  missions: [
    'Missions are governed work: agent_mission_create plans one from a goal, agent_mission_execute runs it and waits for its receipt.',
    'Where a step needs a human, execute says so with a challenge; only the human behind the key can answer it, outside this protocol.',
    'Receipts are public and can be verified by anybody.',
  ],
  studio: [
    'The studio makes media from briefs: studio_brief, studio_plan, then studio_render with dryRun true.',
    'Nothing is spent or posted before a signed-in person has approved exactly that; show them the approval, and render again with its id as approvalRef.',
  ],
  platform: [
    'The generation platform answers over HTTP, in OpenAI’s shapes: explore with domain platform lists its routes and addresses.',
  ],
  analytics: [],
};

/**
 * Returns what a process that serves these surfaces offers to machine clients.
 *
 * @param platform facts about the platform that the tool \`explore\` adds to its tools
 */
export function offerOf(surfaces: readonly ToolSurface[], platform: PlatformFacts = () => ({})): Offer {
  const isOffered = ({ surface }: Tool) => [surface].flat().some((one) => surfaces.includes(one));
  const offered = tools.filter(isOffered);
  return {
    tools: [...offered, ...[exploreTool(offered, platform)].filter(isOffered)],
    resources: [
      ...(surfaces.includes('missions') || surfaces.includes('studio') ? [receiptResource] : []),
      ...(surfaces.includes('studio') ? studioResources : []),
    ],
    instructions: surfaces.flatMap((surface) => instructions[surface]).join(' '),
  };
}

/** An offer for people and programs that look for what there is. */
export function describeOffer({ tools: offered, resources }: Pick<Offer, 'tools' | 'resources'>): MachineOffer {
  return {
    tools: offered.map(({ name, title, description, surface, scope, hints }) => ({
      name,
      title,
      description,
      surfaces: [surface].flat(),
      scope,
      writes_state: hints.readOnlyHint !== true,
    })),
    resources: resources.map(({ uri, title, description }) => ({ uri, title, description })),
  };
}
