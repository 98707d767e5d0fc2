/** List of a response that an item is in: the request's input, or the model's output. */
export type Side = 'input' | 'output';

const prefixes = { message: 'msg', function_call: 'fc', function_call_output: 'fco' } as const;
const letters = { input: 'i', output: 'o' } as const;
const itemId = /^(?:msg|fc|fco)_([0-9a-f]{32})([io])(0|[1-9]\d{0,4})$/;

/** Forms the id of a response: `resp_` and the id of its job without dashes. */
export function responseId(job: string): string {
  return `resp_${job.replaceAll('-', '')}`;
}

/** The job of a response; null for text that names none. */
export function jobOfResponse(id: string): string | null {
  const hex = /^resp_([0-9a-f]{32})$/.exec(id)?.[1];
  return hex === undefined ? null : dashed(hex);
}

/** Forms the id of a response's item. The id holds its position, so that it is found without an index of names. */
export function idOfItem(job: string, type: keyof typeof prefixes, side: Side, index: number): string {
  return `${prefixes[type]}_${job.replaceAll('-', '')}${letters[side]}${index}`;
}

/** Reads the position of an item from an id of ours; null for other ids. */
export function placeOfItem(id: string): { readonly job: string; readonly side: Side; readonly index: number } | null {
  const [, hex, letter, index] = itemId.exec(id) ?? [];
  if (hex === undefined) return null;
  return { job: dashed(hex), side: letter === 'i' ? 'input' : 'output', index: Number(index) };
}

function dashed(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
