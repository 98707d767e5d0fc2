import { sizeDefaults } from '#queues/define.ts';
import type { ContractBody } from './contract-body.ts';
import { beginComparison } from './schema/comparison.ts';
import { narrowing } from './schema/compatible.ts';
import { at, type ContractFault } from './schema/contract-fault.ts';

/**
 * Finds the first place at which a later contract of a version refuses what the earlier one took: jobs that run now give
 * results, and show progress, as their contract had it. The three schemas share the steps of one comparison.
 */
export function contractNarrowing(earlier: ContractBody, later: ContractBody): ContractFault | null {
  const comparison = beginComparison();
  return (
    narrowing(earlier.payload, later.payload, '/payload', comparison) ??
    narrowing(earlier.result, later.result, '/result', comparison) ??
    narrowing(earlier.progress ?? true, later.progress ?? true, '/progress', comparison) ??
    smaller(earlier, later)
  );
}

const sizes = [
  ['max_payload_bytes', sizeDefaults.maxPayloadBytes],
  ['max_result_bytes', sizeDefaults.maxResultBytes],
  ['max_progress_bytes', sizeDefaults.maxProgressBytes],
] as const;

function smaller(earlier: ContractBody, later: ContractBody): ContractFault | null {
  for (const [name, usual] of sizes) {
    const [most = usual, now = usual] = [earlier[name], later[name]];
    if (now < most) return { path: at('', name), message: `expected at least ${most}, as before, got ${now}` };
  }
  return null;
}
