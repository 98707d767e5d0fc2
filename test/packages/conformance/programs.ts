import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromSource } from '#test/packages/readme-files.ts';
import { library, python } from '#test/python/find-python.ts';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'packages/worker-conformance/README.md'), 'utf8');

/** The programs of the kit's page as they stand there, and the command that starts each. */
export const programs = {
  python: { fence: 'python', file: 'my_worker.py', command: [python ?? 'python3', 'my_worker.py'] },
  typescript: { fence: 'ts', file: 'worker.ts', command: [process.execPath, ...fromSource, 'worker.ts'] },
} as const;

/**
 * Writes a program of the page into a folder.
 *
 * @param change makes the text another one
 * @throws Error where the page does not have it, or the change changes nothing
 */
export function writeProgram(
  folder: string,
  language: keyof typeof programs,
  change: (text: string) => string = (text) => `${text}\n`,
): { readonly command: readonly string[]; readonly cwd: string } {
  const { fence, file, command } = programs[language];
  const cwd = join(folder, language);
  mkdirSync(cwd, { recursive: true });
  const text = new RegExp(`\`\`\`${fence}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1];
  if (text === undefined) throw new Error(`expected a program in ${fence} on the page, got none`);
  const changed = change(text);
  if (changed === text) throw new Error(`expected a change of the program in ${fence}, got none`);
  writeFileSync(join(cwd, file), changed);
  if (language === 'typescript') {
    symlinkSync(join(root, 'node_modules'), join(cwd, 'node_modules'));
    writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }');
  } else symlinkSync(join(library, 'proofline'), join(cwd, 'proofline'));
  return { command, cwd };
}
