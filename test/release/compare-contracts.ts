import { type Change, compareSchemas, type Direction, type Finding } from './compare-schemas.ts';
import type { Contracts, Operation, Schema } from './contracts.ts';

type Named<T> = Readonly<Record<string, T>>;
type Compare<T> = (place: string, before: T, now: T) => readonly Finding[];
type CompareSchemas = (direction: Direction, earlier: Schema, later: Schema, place: string) => readonly Finding[];

/** Finds every addition, removal and narrowing between the contracts of two releases, each once. */
export function compareContracts(before: Contracts, now: Contracts): readonly Change[] {
  const schemas: CompareSchemas = (direction, earlier, later, place) =>
    compareSchemas(direction, [earlier, later], [before.schemas, now.schemas], place);
  const all: Named<readonly Finding[]> = {
    operations: named('', before.operations, now.operations, (place, one, other) =>
      operation(place, [one, other], schemas),
    ),
    messages: named('', before.messages, now.messages, (place, one, other) => schemas('output', one, other, place)),
    tools: named('', before.tools, now.tools, (place, one, other) => [
      ...schemas('input', one.input, other.input, `${place} input`),
      ...schemas('output', one.output, other.output, `${place} output`),
    ]),
    commands: named('', before.commands, now.commands, command),
    settings: named('', before.settings, now.settings, setting),
    exports: named('', before.exports, now.exports, (place, one, other) =>
      named(place, byName(one), byName(other), () => []),
    ),
  };
  const changes = Object.entries(all).flatMap(([area, found]) => found.map((one) => ({ area, ...one })));
  return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
}

const breaks = (place: string, says: string): Finding => ({ place, effect: 'breaks', says });
const adds = (place: string, says: string): Finding => ({ place, effect: 'adds', says });
const byName = (names: readonly string[]): Named<true> => Object.fromEntries(names.map((name) => [name, true]));

/** Names at a place that are gone, names that are new, and what has changed of the others. */
function named<T>(at: string, before: Named<T>, now: Named<T>, compare: Compare<T>): readonly Finding[] {
  const place = (name: string) => `${at} ${name}`.trim();
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(now, name));
  const added = Object.keys(now).filter((name) => !Object.hasOwn(before, name));
  const both = Object.entries(before).filter(([name]) => Object.hasOwn(now, name));
  return [
    ...gone.map((name) => breaks(place(name), 'is gone')),
    ...added.map((name) => adds(place(name), 'is new')),
    ...both.flatMap(([name, one]) => compare(place(name), one, now[name] as T)),
  ];
}

function operation(
  at: string,
  [before, now]: readonly [Operation, Operation],
  schemas: CompareSchemas,
): readonly Finding[] {
  const body = `${at} body`;
  const required = Object.entries(now.parameters).filter(
    ([name, parameter]) => parameter.required && before.parameters[name]?.required !== true,
  );
  const hadBody = Object.keys(before.body).length > 0;
  return [
    ...named(at, before.parameters, now.parameters, (place, one, other) =>
      schemas('input', one.schema, other.schema, place),
    ),
    ...required.map(([name]) => breaks(`${at} ${name}`, 'is required now')),
    ...(now.isBodyRequired && !before.isBodyRequired
      ? [breaks(body, hadBody ? 'is required now' : 'is new and required')]
      : []),
    ...named(body, before.body, now.body, (place, one, other) => schemas('input', one, other, place)),
    ...named(at, before.answers, now.answers, (place, one, other) => schemas('output', one, other, place)),
  ];
}

const setting: Compare<Contracts['settings'][string]> = (place, before, now) => [
  ...(before.takes === now.takes ? [] : [breaks(place, `takes ${now.takes}; took ${before.takes}`)]),
  ...(before.default === now.default ? [] : [adds(place, `the default is ${now.default}, was ${before.default}`)]),
];

const command: Compare<Contracts['commands'][string]> = (at, before, now) => {
  const place = (name: string) => `${at} ${name}`.trim();
  const required = Object.entries(now.options).filter(([name, option]) => option.required && !(name in before.options));
  const more = now.arguments.slice(before.arguments.length);
  return [
    ...named(at, before.options, now.options, (option, one, other) => [
      ...(other.required && !one.required ? [breaks(option, 'is required now')] : []),
      ...(other.takesValue === one.takesValue
        ? []
        : [breaks(option, other.takesValue ? 'takes a value now' : 'takes no value now')]),
    ]),
    ...required.map(([name]) => breaks(place(name), 'is new and required')),
    ...before.arguments.flatMap((one, index) => {
      const other = now.arguments[index];
      if (other === undefined) return [breaks(place(one.name), 'is taken no more')];
      return other.required && !one.required ? [breaks(place(one.name), 'is required now')] : [];
    }),
    ...more.map((one) =>
      one.required ? breaks(place(one.name), 'is new and required') : adds(place(one.name), 'is new'),
    ),
  ];
};
