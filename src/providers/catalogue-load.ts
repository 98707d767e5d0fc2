import { readFileSync } from 'node:fs';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { AppError } from '#src/lib/errors.ts';
import { repeatedName } from '#src/lib/json-names.ts';
import type { Config } from '#src/system/config.ts';
import { perContext } from '#src/system/per-context.ts';
import { Provider } from './catalogue.ts';
import { wrongProvider } from './check-provider.ts';
import { localProvider } from './local/local-provider.ts';

const File = Compile(
  Type.Object({ providers: Type.Array(Provider, { maxItems: 200 }) }, { additionalProperties: false }),
);

/** The providers of this process: the local one first, then those of `PROVIDERS_FILE` in its order. Read once. */
export const catalogueOf = perContext(({ config }): readonly Provider[] => loadCatalogue(config));

/** @throws AppError `invalid_configuration` with one sentence: the file, the field in it, what was expected and came. */
export function loadCatalogue({ PROVIDERS_FILE: path }: Pick<Config, 'PROVIDERS_FILE'>): readonly Provider[] {
  if (path === '') return [localProvider];
  const { providers } = readCatalogue(path);
  const ids = [localProvider, ...providers].map(({ id }) => id);
  for (const [index, provider] of providers.entries()) {
    const field = `providers[${index}]`;
    if (ids.indexOf(provider.id) !== index + 1) {
      throw wrong(path, `${field}.id`, `expected an id that no other provider has, got ${JSON.stringify(provider.id)}`);
    }
    const found = wrongProvider(provider);
    if (found) throw wrong(path, `${field}${found.field}`, found.problem);
  }
  return Object.freeze([localProvider, ...providers]);
}

/** The provider of this id. @throws AppError `not_found` */
export function providerOf(catalogue: readonly Provider[], id: string): Provider {
  const provider = catalogue.find((one) => one.id === id);
  if (provider) return provider;
  throw new AppError('not_found', `expected the id of a provider in the catalogue, got ${JSON.stringify(id)}.`);
}

function readCatalogue(path: string): { providers: Provider[] } {
  const text = readText(path);
  const value = parsed(path, text);
  const repeated = repeatedName(text);
  if (repeated)
    throw wrong(
      path,
      repeated.words,
      `expected every name once in an object, got it again at character ${repeated.index}`,
    );
  if (File.Check(value)) return value;
  throw misfit(path, value);
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'an unreadable one';
    throw new AppError(
      'invalid_configuration',
      `PROVIDERS_FILE: expected a file that can be read at ${path}, got ${code}.`,
    );
  }
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // the parser's own words say where; they quote a few characters of a file that holds no secret
    const why = error instanceof Error ? error.message : 'something else';
    throw new AppError(
      'invalid_configuration',
      `PROVIDERS_FILE: expected JSON in ${path}, got text that is none (${why}).`,
    );
  }
}

type Misfit = ReturnType<(typeof File)['Errors']>[number];

function misfit(path: string, value: unknown): AppError {
  const errors = File.Errors(value);
  // a key that is not known, where there is one, is the likeliest reason of what else is missing
  const error = errors.find(({ keyword }) => keyword === 'additionalProperties') ?? errors[0];
  if (!error) return wrong(path, 'the file', 'expected a catalogue, got something else');
  const field = fieldOf(error.instancePath);
  const [expected, member] = expectationOf(error);
  const at = member === undefined ? field : `${field}${member}`;
  return wrong(path, at.replace(/^\./, '') || 'the file', `expected ${expected}, got ${shown(error, value)}`);
}

/** What was expected, and the member that it is about where that is one below the place of the error. */
function expectationOf(error: Misfit): readonly [expected: string, member?: string] {
  if (error.keyword === 'additionalProperties')
    return ['a known key', memberName(error.params.additionalProperties[0])];
  if (error.keyword === 'required') return ['a value', memberName(error.params.requiredProperties[0])];
  if (error.keyword === 'enum')
    return [`one of ${error.params.allowedValues.map((one) => JSON.stringify(one)).join(', ')}`];
  if (error.keyword === 'type') return [`a value of type ${[error.params.type].flat().join(' or ')}`];
  return [`a value that fits its schema (${error.message})`];
}

const memberName = (name: string | undefined): string => (/^\w+$/.test(name ?? '') ? `.${name}` : `["${name}"]`);

/** `/providers/0/capabilities/video.edit` as `providers[0].capabilities["video.edit"]`. */
function fieldOf(pointer: string): string {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : memberName(step))).join('');
}

function shown(error: Misfit, value: unknown): string {
  if (error.keyword === 'additionalProperties') return 'one that is not';
  if (error.keyword === 'required') return 'nothing';
  const steps = error.instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const found = steps.reduce<unknown>((at, step) => (at as Readonly<Record<string, unknown>>)[step], value);
  return (JSON.stringify(found) ?? 'nothing').slice(0, 100);
}

function wrong(path: string, field: string, problem: string): AppError {
  return new AppError('invalid_configuration', `PROVIDERS_FILE: ${path}, ${field}: ${problem}.`, {
    variable: 'PROVIDERS_FILE',
    field,
  });
}
