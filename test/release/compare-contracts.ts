import { type Change, compareSchemas, type Direction } from './compare-schemas.ts';
import type { Contracts, Operation, Schema } from './contracts.ts';

type Named<T> = Readonly<Record<string, T>>;
type Part = Omit<Change, 'area'>;
type Compare<T> = (name: string, before: T, now: T) => readonly Part[];

/** Finds every addition, removal and narrowing between the contracts of two releases, each once. */
export function compareContracts(before: Contracts, now: Contracts): readonly Change[] {
  const schemas = (direction: Direction, earlier: Schema, later: Schema, place: string) =>
    compareSchemas(direction, [earlier, later], [before.schemas, now.schemas], place);
  const settings: Compare<Contracts['settings'][string]> = (place, one, other) => [
    ...(one.takes === other.takes ? [] : [breaks(place, `takes ${other.takes}; took ${one.takes}`)]),
    ...(one.default === other.default ? [] : [adds(place, `the default is ${other.default}, was ${one.default}`)]),
  ];
  const all: Named<readonly Part[]> = {
    operations: named(before.operations, now.operations, (name, one, other) => operation(name, one, other, schemas)),
    messages: named(before.messages, now.messages, (name, one, other) => schemas('output', one, other, name)),
    tools: named(before.tools, now.tools, (name, one, other) => [
      ...schemas('input', one.input, other.input, `${name} input`),
      ...schemas('output', one.output, other.output, `${name} output`),
    ]),
    commands: named(before.commands, now.commands, command),
    settings: named(before.settings, now.settings, settings),
    exports: named(before.exports, now.exports, (name, one, other) => [
      ...one.filter((export_) => !other.includes(export_)).map((export_) => breaks(`${name} ${export_}`, 'is gone')),
      ...other.filter((export_) => !one.includes(export_)).map((export_) => adds(`${name} ${export_}`, 'is new')),
    ]),
  };
  const changes = Object.entries(all).flatMap(([area, parts]) => parts.map((part) => ({ area, ...part })));
  return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
}

const breaks = (place: string, says: string): Part => ({ place, effect: 'breaks', says });
const adds = (place: string, says: string): Part => ({ place, effect: 'adds', says });

/** Names that are gone, names that are new, and what has changed of the others. */
function named<T>(before: Named<T>, now: Named<T>, compare: Compare<T>): readonly Part[] {
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(now, name));
  const added = Object.keys(now).filter((name) => !Object.hasOwn(before, name));
  const both = Object.entries(before).filter(([name]) => Object.hasOwn(now, name));
  return [
    ...gone.map((name) => breaks(name, 'is gone')),
    ...added.map((name) => adds(name, 'is new')),
    ...both.flatMap(([name, one]) => compare(name, one, now[name] as T)),
  ];
}

function operation(
  name: string,
  before: Operation,
  now: Operation,
  schemas: (direction: Direction, earlier: Schema, later: Schema, place: string) => readonly Part[],
): readonly Part[] {
  const body = `${name} body`;
  const wanted = Object.entries(now.parameters).filter(
    ([parameter, { required }]) => required && before.parameters[parameter]?.required !== true,
  );
  const hadBody = Object.keys(before.body).length > 0;
  return [
    ...named(before.parameters, now.parameters, (parameter, one, other) =>
      schemas('input', one.schema, other.schema, `${name} ${parameter}`),
    ).map((part) =>
      part.place.startsWith(name) ? part : within(name, part, Object.keys({ ...before.parameters, ...now.parameters })),
    ),
    ...wanted.map(([parameter]) => breaks(`${name} ${parameter}`, 'is required now')),
    ...(now.isBodyRequired && !before.isBodyRequired
      ? [breaks(body, hadBody ? 'is required now' : 'is new and required')]
      : []),
    ...named(before.body, now.body, (type, one, other) => schemas('input', one, other, `${body} ${type}`)).map((part) =>
      within(body, part, Object.keys({ ...before.body, ...now.body })),
    ),
    ...named(before.answers, now.answers, (status, one, other) =>
      schemas('output', one, other, `${name} ${status}`),
    ).map((part) => within(name, part, Object.keys({ ...before.answers, ...now.answers }))),
  ];
}

/** Names the operation before a part that is called by its own name alone: a parameter, a type of content, a status. */
function within(name: string, part: Part, own: readonly string[]): Part {
  return own.includes(part.place) ? { ...part, place: `${name} ${part.place}` } : part;
}

const command: Compare<Contracts['commands'][string]> = (name, before, now) => {
  const options = named(before.options, now.options, (option, one, other) => [
    ...(other.required && !one.required ? [breaks(option, 'is required now')] : []),
    ...(other.takesValue === one.takesValue
      ? []
      : [breaks(option, other.takesValue ? 'takes a value now' : 'takes no value now')]),
  ]);
  const wanted = Object.entries(now.options).filter(
    ([option, { required }]) => required && !(option in before.options),
  );
  const places = before.arguments.flatMap((one, index) => {
    const other = now.arguments[index];
    if (other === undefined) return [breaks(one.name, 'is taken no more')];
    return other.required && !one.required ? [breaks(one.name, 'is required now')] : [];
  });
  const more = now.arguments.slice(before.arguments.length);
  return [
    ...options,
    ...wanted.map(([option]) => breaks(option, 'is new and required')),
    ...places,
    ...more.map((one) => (one.required ? breaks : adds)(one.name, one.required ? 'is new and required' : 'is new')),
  ].map((part) => ({ ...part, place: `${name} ${part.place}`.trim() }));
};
