import type { TSchema } from 'typebox';
import { defineQueue, type QueueContract, sizeDefaults } from '#queues/define.ts';
import { checkWith } from '#queues/misfit.ts';
import { unstorableAt } from '#src/lib/assert-storable.ts';
import type { ContractBody } from './contract-body.ts';
import { at, type ContractFault } from './schema/contract-fault.ts';
import { compileFault, foreignMisfit } from './schema/foreign-check.ts';
import { beginCompileCost, schemaFault } from './schema/foreign-schema.ts';
import type { ForeignSchema } from './schema/keywords.ts';

const schemas = ['payload', 'result', 'progress'] as const;

/** Finds the first thing in a contract that keeps it from being taken; what {@link ContractBody} says has been checked. */
export function contractFault(body: ContractBody): ContractFault | null {
  const unstorable = unstorableAt(body);
  if (unstorable !== null)
    return { path: unstorable, message: 'expected text without \\u0000 and lone surrogates, got some with one' };
  const cost = beginCompileCost();
  for (const name of schemas) {
    const schema = body[name];
    if (schema === undefined) continue;
    const path = at('', name);
    const fault = schemaFault(schema, path, cost);
    if (fault) return fault;
    const why = compileFault(schema);
    if (why !== null) return { path, message: `expected JSON Schema 2020-12, got one of which ${why}` };
  }
  const { backoff_ms: first = 500, backoff_cap_ms: cap = 60_000 } = body;
  if (first <= cap) return null;
  return { path: '/backoff_cap_ms', message: `expected at least backoff_ms (${first}), got ${cap}` };
}

/** The contract that jobs of a registered queue run under. */
export function queueContract(name: string, version: number, body: ContractBody): QueueContract {
  const { title, attempts, backoff_ms, backoff_cap_ms, timeout_ms, priority, retention, replaceable, receipt } = body;
  const { approval, budget, unique, group, max_payload_bytes, max_result_bytes, max_progress_bytes } = body;
  return defineQueue({
    name,
    version,
    title,
    payload: foreign(body.payload),
    result: foreign(body.result),
    progress: foreign(body.progress ?? true),
    ...(attempts !== undefined && { attempts }),
    ...(backoff_ms !== undefined && { backoffMs: backoff_ms }),
    ...(backoff_cap_ms !== undefined && { backoffCapMs: backoff_cap_ms }),
    ...(timeout_ms !== undefined && { timeoutMs: timeout_ms }),
    ...(priority !== undefined && { priority }),
    ...(retention !== undefined && { retention }),
    ...(replaceable !== undefined && { replaceable }),
    ...(receipt !== undefined && { receipt }),
    ...(approval !== undefined && { approval }),
    ...(budget !== undefined && { budget }),
    ...(unique !== undefined && { unique }),
    ...(group !== undefined && { group }),
    ...(max_payload_bytes !== undefined && { maxPayloadBytes: max_payload_bytes }),
    ...(max_result_bytes !== undefined && { maxResultBytes: max_result_bytes }),
    ...(max_progress_bytes !== undefined && { maxProgressBytes: max_progress_bytes }),
  });
}

/** A schema that a caller wrote as one of ours, which is checked in bounded time. */
function foreign(schema: ForeignSchema | boolean): TSchema {
  const own: TSchema = typeof schema === 'boolean' ? (schema ? {} : { not: {} }) : { ...schema };
  checkWith(own, (value) => foreignMisfit(schema, value));
  return own;
}

/** A contract of ours as it is shown and registered. */
export function contractBody(contract: QueueContract): ContractBody {
  const { title, payload, result, progress, attempts, backoffMs, backoffCapMs, timeoutMs } = contract;
  const { priority, retention, replaceable, receipt, approval, budget, unique, group } = contract;
  const plain = (schema: TSchema) => JSON.parse(JSON.stringify(schema)) as ForeignSchema;
  return {
    title,
    payload: plain(payload),
    result: plain(result),
    progress: plain(progress),
    attempts,
    backoff_ms: backoffMs,
    backoff_cap_ms: backoffCapMs,
    timeout_ms: timeoutMs,
    priority,
    ...(retention !== null && { retention }),
    replaceable,
    receipt,
    ...(approval !== null && { approval }),
    ...(budget !== null && { budget }),
    ...(unique !== null && { unique }),
    ...(group !== null && { group }),
    ...sizesBody(contract),
  };
}

/** Sizes that are not the usual ones: the text of a contract of before, and its digest, stay as they were. */
function sizesBody({ maxPayloadBytes, maxResultBytes, maxProgressBytes }: QueueContract): Partial<ContractBody> {
  return {
    ...(maxPayloadBytes !== sizeDefaults.maxPayloadBytes && { max_payload_bytes: maxPayloadBytes }),
    ...(maxResultBytes !== sizeDefaults.maxResultBytes && { max_result_bytes: maxResultBytes }),
    ...(maxProgressBytes !== sizeDefaults.maxProgressBytes && { max_progress_bytes: maxProgressBytes }),
  };
}
