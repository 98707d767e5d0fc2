import type { ToolCall } from '#src/analytics/domain/oracle/tool.ts';
import { type AjvError, describeValidation } from '#src/lib/validation/describe-validation.ts';
import { buildValidators } from '#src/lib/validation/validators.ts';
import { servedTools } from './run-tool.ts';

const compile = buildValidators({});
const checks = new Map(
  servedTools.map(({ name, parameters }) => [
    name,
    compile({ schema: { ...parameters } as object, method: 'POST', url: '', httpPart: 'body' }),
  ]),
);

/** A call as a model wrote it: one that can be made, or a sentence that says what is wrong with it. */
export function readToolCall(tool: string, text: string): ToolCall | string {
  const check = checks.get(tool);
  if (check === undefined) return `expected one of ${[...checks.keys()].join(', ')}, got ${shortly(tool)}.`;
  const given = parsed(text);
  if (given === undefined) return `arguments: expected JSON, got ${shortly(text)}.`;
  if (check(given) === true) return { tool, arguments: given as ToolCall['arguments'] };
  return describeValidation((check as { errors?: AjvError[] }).errors ?? [], 'arguments').message;
}

function parsed(text: string): unknown {
  try {
    // some models write nothing for no arguments
    return JSON.parse(text === '' ? '{}' : text);
  } catch {
    return undefined;
  }
}

function shortly(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}
