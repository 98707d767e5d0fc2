import { marketSymbols } from '#src/analytics/domain/chain/symbols.ts';
import type { ToolParameters } from './tool.ts';

export const symbolParameter = { type: 'string', enum: [...marketSymbols], description: 'Underlying' };

/** The JSON Schema of a tool's arguments. */
export function takes(
  properties: ToolParameters['properties'],
  required: readonly string[] = ['symbol'],
): ToolParameters {
  return { type: 'object', properties, required, additionalProperties: false };
}
