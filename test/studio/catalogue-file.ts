import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Provider } from '#src/providers/catalogue/catalogue.ts';
import { testFolder } from '#test/helpers/processes.ts';

/** A catalogue of these providers beside the local one, as a file in a folder of its own. */
export function catalogueFile(providers: readonly Provider[]): Disposable & { readonly path: string } {
  const folder = testFolder();
  const path = join(folder.path, 'providers.json');
  writeFileSync(path, JSON.stringify({ providers }));
  return { path, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}
