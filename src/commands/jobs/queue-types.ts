import { commentOf, indented, schemaType } from './schema-type.ts';

/** A contract, as far as types are made of it. */
export interface TypedContract {
  readonly name: string;
  readonly version: number;
  readonly contract: {
    readonly title: string;
    readonly payload: unknown;
    readonly result: unknown;
    readonly progress?: unknown;
  };
}

/** A module of types by which `@proofline/client` knows these queues by their names. */
export function queueTypes(url: string, contracts: readonly TypedContract[]): string {
  const queues = contracts.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(entryOf);
  const lines = [
    `// Written by \`proofline types\` from the contracts of ${url}.`,
    "import '@proofline/client';",
    '',
    "declare module '@proofline/client' {",
    '  interface Queues {',
    indented(indented(queues.join('\n'))),
    '  }',
    '}',
  ];
  return `${lines.join('\n')}\n`;
}

function entryOf({ name, version, contract: { title, payload, result, progress = true } }: TypedContract): string {
  const parts = Object.entries({ payload, result, progress }).map(
    ([part, schema]) => `${part}: ${schemaType(schema)};`,
  );
  return `${commentOf(`${title} (version ${version})`)}${JSON.stringify(name)}: {\n${indented(parts.join('\n'))}\n};`;
}
