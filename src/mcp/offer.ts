import { executeTool } from './execute-tool.ts';
import type { Offer } from './make-server.ts';
import { missionTools } from './mission-tools.ts';
import { receiptResource } from './receipt-resource.ts';
import { receiptTools } from './receipt-tools.ts';
import type { Tool, ToolSurface } from './tool.ts';

/** Every tool of this service, in the order in which they are listed. One that is not here is offered to nobody. */
const tools: readonly Tool[] = [
  missionTools.create,
  executeTool,
  missionTools.status,
  receiptTools.get,
  receiptTools.verify,
  missionTools.stats,
];

/** What a process that serves these surfaces offers to machine clients. */
export function offerOf(surfaces: readonly ToolSurface[]): Offer {
  return {
    tools: tools.filter(({ surface }) => surfaces.includes(surface)),
    resources: surfaces.includes('missions') ? [receiptResource] : [],
  };
}
