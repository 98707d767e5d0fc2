import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { AppError } from '#src/lib/errors.ts';
import type { Config } from '#src/system/config/config.ts';
import { readJsonFile, wrongField } from '#src/system/config/json-file.ts';
import { perContext } from '#src/system/per-context.ts';
import { Provider } from './catalogue.ts';
import { wrongProvider } from './check-provider.ts';
import { localProvider } from './local-provider.ts';

const File = Compile(
  Type.Object({ providers: Type.Array(Provider, { maxItems: 200 }) }, { additionalProperties: false }),
);

/** The providers of this process: the local one first, then those of `PROVIDERS_FILE` in its order. Read once. */
export const catalogueOf = perContext(({ config }): readonly Provider[] => loadCatalogue(config));

/** @throws AppError `invalid_configuration` with one sentence: the file, the field in it, what was expected and came. */
export function loadCatalogue({ PROVIDERS_FILE: path }: Pick<Config, 'PROVIDERS_FILE'>): readonly Provider[] {
  if (path === '') return [localProvider];
  const { providers } = readJsonFile('PROVIDERS_FILE', path, File);
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

function wrong(path: string, field: string, problem: string): AppError {
  return wrongField('PROVIDERS_FILE', path, field, problem);
}
