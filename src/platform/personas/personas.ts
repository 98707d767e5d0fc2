import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { AppError } from '#src/lib/errors.ts';
import type { Config } from '#src/system/config/config-type.ts';
import { readJsonFile, wrongField } from '#src/system/config/json-file.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';

/** A speaker in films: an operator's description, and how providers make them look and sound. */
export const Persona = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z][a-z0-9-]{0,39}$' }),
    title: Type.String({ minLength: 1, maxLength: 80 }),
    description: Type.String({ minLength: 1, maxLength: 500 }),
    /** A provider's name of the voice. */
    voice: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
    /** BCP 47. */
    language: Type.Optional(Type.String({ pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}$' })),
    /** Instructions to a provider about the speaker, beside the words that are spoken. */
    instructions: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000 })),
  },
  { title: 'Persona', additionalProperties: false },
);
export type Persona = Static<typeof Persona>;

const File = Compile(Type.Array(Persona, { maxItems: 200 }));

/** The one that every process has. */
const narrator: Persona = Object.freeze({
  id: 'narrator',
  title: 'Narrator',
  description: 'Reads the words plainly, in English, in the default voice of the provider',
  language: 'en',
});

/** The personas of this process: the narrator first, then those of `PERSONAS_FILE` in its order. Read once. */
export const personasOf = perContext(({ config }): readonly Persona[] => loadPersonas(config));

/**
 * @throws AppError `invalid_configuration` with one sentence: the file, the field in it, what was expected and came.
 */
export function loadPersonas({ PERSONAS_FILE: path }: Pick<Config, 'PERSONAS_FILE'>): readonly Persona[] {
  if (path === '') return [narrator];
  const personas = [narrator, ...readJsonFile('PERSONAS_FILE', path, File)];
  for (const [place, { id }] of personas.entries()) {
    if (personas.findIndex((one) => one.id === id) === place) continue;
    const problem = `expected an id that no other persona has, got ${JSON.stringify(id)}`;
    throw wrongField('PERSONAS_FILE', path, `[${place - 1}].id`, problem);
  }
  return Object.freeze(personas);
}

/** The persona of this id. @throws AppError `not_found` */
export function personaOf(context: Context, id: string): Persona {
  const personas = personasOf(context);
  const persona = personas.find((one) => one.id === id);
  if (persona) return persona;
  throw new AppError(
    'not_found',
    `expected the id of a persona (${personas.map((one) => one.id).join(', ')}), got ${JSON.stringify(id.slice(0, 100))}.`,
    { field: 'id' },
  );
}
