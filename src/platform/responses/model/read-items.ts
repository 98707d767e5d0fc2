import { isOpenUrl } from '#src/system/outside/outside.ts';
import type { ContentPart, Item, NewItem } from './items.ts';
import { wrongInput } from './wrong-input.ts';

type Loose = Readonly<Record<string, unknown>>;

/** Items of an input, or one text for a single message of the user. */
export type Input = string | readonly Loose[];

export interface ReadInput {
  readonly items: readonly NewItem[];
  /** Accepted parameters without an effect, in sentences. */
  readonly warnings: readonly string[];
}

/** Gives the item of one of our names, where the caller has it. */
export type FindItem = (id: string) => Item | undefined;

/** The names that an input refers to instead of holding the items themselves. */
export function referredItems(input: Input): readonly string[] {
  if (typeof input === 'string') return [];
  return input.filter(({ type }) => type === 'item_reference').flatMap(({ id }) => (typeof id === 'string' ? id : []));
}

/**
 * Reads the items of an input into the one shape in which they are stored.
 *
 * @throws AppError `invalid_request` for an item that cannot be used, with its position.
 */
export function readItems(input: Input, find: FindItem): ReadInput {
  if (typeof input === 'string') return { items: [userMessage(input)], warnings: [] };
  const warnings: string[] = [];
  const items = input.flatMap((item, index): readonly NewItem[] => {
    const field = `input[${index}]`;
    const type = item['type'] ?? 'message';
    if (type === 'reasoning') {
      warnings.push(`${field} was ignored: what a model thought is not handed to another.`);
      return [];
    }
    const read = typeof type === 'string' && Object.hasOwn(readers, type) ? readers[type] : undefined;
    if (!read) throw wrongInput(`${field}.type`, `one of ${[...Object.keys(readers), 'reasoning'].join(', ')}`, type);
    return [read(item, field, find)];
  });
  return { items, warnings };
}

const userMessage = (text: string): NewItem => ({
  type: 'message',
  role: 'user',
  status: 'completed',
  content: [{ type: 'input_text', text }],
});

const readers: Readonly<Record<string, (item: Loose, field: string, find: FindItem) => NewItem>> = {
  message: (item, field) => {
    const role = roleOf(item['role'], field);
    const content = readContent(item['content'], `${field}.content`, role);
    return { type: 'message', role, status: 'completed', content, ...named(item) };
  },
  function_call: (item, field) => ({
    type: 'function_call',
    call_id: textOf(item, 'call_id', field),
    name: textOf(item, 'name', field),
    arguments: textOf(item, 'arguments', field),
    status: 'completed',
    ...named(item),
  }),
  function_call_output: (item, field) => {
    const { output } = item;
    return {
      type: 'function_call_output',
      call_id: textOf(item, 'call_id', field),
      output: typeof output === 'string' ? output : [...readContent(output, `${field}.output`, 'user')],
      status: 'completed',
      ...named(item),
    };
  },
  item_reference: (item, field, find) => {
    const id = textOf(item, 'id', field);
    const found = find(id);
    if (found) return found;
    throw wrongInput(`${field}.id`, 'the id of an item of a response of yours that is stored', id);
  },
};

const roles = ['user', 'assistant', 'system', 'developer'] as const;
type Role = (typeof roles)[number];

function roleOf(value: unknown, field: string): Role {
  const role = roles.find((one) => one === value);
  if (role) return role;
  throw wrongInput(`${field}.role`, `one of ${roles.join(', ')}`, value);
}

/** Reads an item's id: clients hand items back as they got them, ids included. */
function named({ id }: Loose): { readonly id?: string } {
  return typeof id === 'string' && /^[\w-]{1,100}$/.test(id) ? { id } : {};
}

function textOf(item: Loose, name: string, field: string): string {
  const value = item[name];
  if (typeof value === 'string') return value;
  throw wrongInput(`${field}.${name}`, 'text', value);
}

function readContent(content: unknown, field: string, role: Role): ContentPart[] {
  if (typeof content === 'string') return [textPart(content, role)];
  if (!Array.isArray(content)) throw wrongInput(field, 'text or a list of parts', content);
  return content.map((part: unknown, index) => readPart(part, `${field}[${index}]`, role));
}

function readPart(part: unknown, field: string, role: Role): ContentPart {
  if (typeof part !== 'object' || part === null) throw wrongInput(field, 'an object', part);
  const loose = part as Loose;
  const { type } = loose;
  if (type === 'input_text' || type === 'output_text' || type === 'text')
    return textPart(textOf(loose, 'text', field), role);
  if (type === 'refusal') return { type: 'refusal', refusal: textOf(loose, 'refusal', field) };
  if (type === 'input_image' && role === 'user') return imagePart(loose, field);
  const kinds = role === 'user' ? 'input_text, input_image' : 'input_text, output_text, refusal';
  throw wrongInput(`${field}.type`, `one of ${kinds} for the role ${role}`, type);
}

function textPart(text: string, role: Role): ContentPart {
  return role === 'assistant'
    ? { type: 'output_text', text, annotations: [], logprobs: [] }
    : { type: 'input_text', text };
}

const details = { auto: 'auto', low: 'low', high: 'high', original: 'high' } as const;

function imagePart(part: Loose, field: string): ContentPart {
  const { image_url: url, detail } = part;
  if (typeof url !== 'string' || !(url.startsWith('data:image/') || isOpenUrl(url)))
    throw wrongInput(`${field}.image_url`, 'an address of the open internet (https://) or a data:image/ URL', url);
  const known = typeof detail === 'string' && Object.hasOwn(details, detail);
  return { type: 'input_image', image_url: url, detail: known ? details[detail as keyof typeof details] : 'auto' };
}
