import type { ContractFault } from './contract-fault.ts';
import { follow } from './follow.ts';
import { type ForeignSchema, inPlace, isRecord, subschemasOf } from './keywords.ts';

/** Finds a schema that applies itself to the same value: checking any value against it would never end. */
export function endlessFault(root: unknown, path: string): ContractFault | null {
  const done = new Set<unknown>();
  const open = new Set<unknown>();
  const isEndless = (schema: unknown): boolean => {
    if (!isRecord(schema) || done.has(schema)) return false;
    if (open.has(schema)) return true;
    open.add(schema);
    const found = appliedBy(root, schema).some(isEndless);
    open.delete(schema);
    done.add(schema);
    return found;
  };
  const hasEndless = (schema: unknown): boolean =>
    isRecord(schema) && (isEndless(schema) || subschemasOf(schema).some((one) => hasEndless(one.schema)));
  return hasEndless(root)
    ? {
        path,
        message: 'expected references that go into a value, got one by which a schema applies itself to the same value',
      }
    : null;
}

/** Lists the schemas that a schema applies to the value that it is applied to. */
function appliedBy(root: unknown, schema: ForeignSchema): readonly unknown[] {
  const { $ref } = schema;
  const below = subschemasOf(schema).filter(({ steps: [name = ''] }) => inPlace.has(name));
  return [...below.map((one) => one.schema), ...(typeof $ref === 'string' ? [follow(root, $ref)] : [])];
}
