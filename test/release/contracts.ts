import type { Command } from 'commander';

export type Schema = { readonly [keyword: string]: unknown };

export interface Operation {
  /** By place and name: `query limit`. */
  readonly parameters: Readonly<Record<string, { readonly required: boolean; readonly schema: Schema }>>;
  /** By type of content. */
  readonly body: Readonly<Record<string, Schema>>;
  readonly isBodyRequired: boolean;
  /** By status and type of content: `200 application/json`. */
  readonly answers: Readonly<Record<string, Schema>>;
}

interface CommandContract {
  readonly arguments: readonly { readonly name: string; readonly required: boolean }[];
  readonly options: Readonly<Record<string, { readonly required: boolean; readonly takesValue: boolean }>>;
}

/** Everything of a release that others build on, without the words for people in it. */
export interface Contracts {
  readonly version: string;
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly operations: Readonly<Record<string, Operation>>;
  /** Messages of streams, by channel and name. */
  readonly messages: Readonly<Record<string, Schema>>;
  readonly tools: Readonly<Record<string, { readonly input: Schema; readonly output: Schema }>>;
  readonly commands: Readonly<Record<string, CommandContract>>;
  readonly settings: Readonly<Record<string, { readonly default: string; readonly takes: string }>>;
  /** Names that a package exports, types among them, by its entry. */
  readonly exports: Readonly<Record<string, readonly string[]>>;
}

/** Documents of a running system, as it serves them. */
export interface Documents {
  readonly openapi: Json;
  readonly asyncapi: Json;
  readonly tools: readonly { readonly name: string; readonly inputSchema?: unknown; readonly outputSchema?: unknown }[];
  readonly settings: readonly { readonly name: string; readonly default: string; readonly takes: string }[];
}

type Json = Readonly<Record<string, unknown>>;

/** Builds the contracts of the release that serves these documents, and has this command line and these packages. */
export function contractsOf(
  version: string,
  { openapi, asyncapi, tools, settings }: Documents,
  { commands, exports }: Pick<Contracts, 'commands' | 'exports'>,
): Contracts {
  return {
    version,
    schemas: mapped(record(record(openapi['components'])['schemas']), bare),
    operations: operationsOf(openapi),
    messages: messagesOf(asyncapi),
    tools: Object.fromEntries(
      tools.map(({ name, inputSchema, outputSchema }) => [
        name,
        { input: bare(inputSchema ?? {}), output: bare(outputSchema ?? {}) },
      ]),
    ),
    settings: Object.fromEntries(settings.map((one) => [one.name, { default: one.default, takes: one.takes }])),
    commands,
    exports,
  };
}

const record = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const mapped = <T>(from: Json, map: (value: unknown) => T): Record<string, T> =>
  Object.fromEntries(
    Object.entries(from).flatMap(([name, value]) => (value === undefined ? [] : [[name, map(value)] as const])),
  );

/** Keywords that say something to people alone, or that a caller does not have to keep to. */
const words = new Set(
  'title description summary example examples default deprecated $schema $id externalDocs'.split(' '),
);
/** Keywords whose members are names of their own, which may be called as a keyword. */
const named = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
/** Values that are no schemas. */
const values = new Set(['enum', 'const', 'required']);

/** A schema without the words in it. */
export function bare(schema: unknown): Schema {
  if (Array.isArray(schema)) return schema.map((one) => bare(one)) as unknown as Schema;
  if (typeof schema !== 'object' || schema === null) return schema as Schema;
  const kept = Object.entries(schema).filter(([name]) => !words.has(name) && !name.startsWith('x-'));
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      values.has(name) ? value : named.has(name) ? mapped(record(value), bare) : bare(value),
    ]),
  );
}

const methods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'];

function operationsOf(openapi: Json): Record<string, Operation> {
  const shared = record(record(openapi['components'])['parameters']);
  const answers = record(record(openapi['components'])['responses']);
  const known = (value: unknown, all: Json): Json => {
    const ref = record(value)['$ref'];
    return typeof ref === 'string' ? record(all[ref.split('/').at(-1) ?? '']) : record(value);
  };
  return Object.fromEntries(
    Object.entries(record(openapi['paths'])).flatMap(([path, item]) =>
      methods
        .filter((method) => method in record(item))
        .map((method) => {
          const operation = record(record(item)[method]);
          const body = record(operation['requestBody']);
          const parameters = list(operation['parameters']).map((one) => {
            const { in: place, name, required, schema } = known(one, shared);
            return [`${String(place)} ${String(name)}`, { required: required === true, schema: bare(schema) }] as const;
          });
          const statuses = Object.entries(record(operation['responses'])).flatMap(([status, answer]) =>
            Object.entries(record(known(answer, answers)['content'])).map(
              ([type, media]) => [`${status} ${type}`, bare(record(media)['schema'] ?? {})] as const,
            ),
          );
          const contract: Operation = {
            parameters: Object.fromEntries(parameters),
            body: mapped(record(body['content']), (media) => bare(record(media)['schema'] ?? {})),
            isBodyRequired: body['required'] === true,
            answers: Object.fromEntries(statuses),
          };
          return [`${method.toUpperCase()} ${path}`, contract] as const;
        }),
    ),
  );
}

/** Payloads of all messages, where channels and the components that they name have them. */
function messagesOf(asyncapi: Json): Record<string, Schema> {
  const components = record(record(asyncapi['components'])['messages']);
  return Object.fromEntries(
    Object.entries(record(asyncapi['channels'])).flatMap(([channel, described]) =>
      Object.entries(record(record(described)['messages'])).map(([name, message]) => {
        const ref = record(message)['$ref'];
        const whole = typeof ref === 'string' ? record(components[ref.split('/').at(-1) ?? '']) : record(message);
        return [`${channel} ${name}`, bare(whole['payload'] ?? {})] as const;
      }),
    ),
  );
}

/** Commands with their arguments and options, by the words that lead to them. */
export function commandsOf(command: Command, path: readonly string[] = []): Contracts['commands'] {
  const own = {
    arguments: command.registeredArguments.map((one) => ({ name: one.name(), required: one.required })),
    options: Object.fromEntries(
      command.options.map((one) => [
        one.long ?? one.short ?? one.flags,
        { required: one.mandatory, takesValue: one.required || one.optional },
      ]),
    ),
  };
  const below = command.commands.map((one) => commandsOf(one, [...path, one.name()]));
  return Object.assign({ [path.join(' ')]: own }, ...below);
}

/** Names that a source exports by lists in braces, as the entries of packages do; a namespace by its whole line. */
export function exportsOf(source: string): readonly string[] {
  const lists = [...source.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, names = '']) => names.split(','));
  const declared = [...source.matchAll(/^export (?:async )?(?:const|function|class|interface|type) (\w+)/gm)];
  const all = [...source.matchAll(/^export (?:type )?\* from .*$/gm)].map(([line]) => line);
  const names = lists.map((one) =>
    one
      .trim()
      .replace(/^type /, '')
      .replace(/^.* as /, ''),
  );
  return [...new Set([...names.filter(Boolean), ...declared.map(([, name = '']) => name), ...all])].toSorted();
}
