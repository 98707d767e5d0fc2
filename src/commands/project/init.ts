import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { type Printing, print, withJson } from '#src/commands/terminal/print.ts';
import { AppError } from '#src/lib/errors.ts';
import { languages } from './languages.ts';
import { mergedManifest } from './manifest.ts';
import { ownPackages, typeTools } from './own-packages.ts';
import { writeNew } from './write-new.ts';

const templates = join(import.meta.dirname, '../../../packages/templates');

const help = `
The project has one job with a step, a wait and an effect, a worker that does it, and a program that submits it and follows it.
No file that is there is overwritten; a package.json is added to.

Examples:
  $ npx proofline init
  $ npx proofline init my-jobs --language python

Exit codes: 0 written; 1 the folder cannot be written to; 2 wrong use, or files are in the way.`;

interface Options extends Printing {
  readonly language: keyof typeof languages;
}

export function initCommand(): Command {
  return withJson(new Command('init').description('write a small project of your own jobs'))
    .argument('[folder]', 'folder to write it into', '.')
    .addOption(new Option('--language <language>', 'of the jobs').choices(Object.keys(languages)).default('typescript'))
    .addHelpText('after', help)
    .action((folder: string, options: Options) => {
      const place = resolve(folder);
      const files = projectFiles(place, options.language);
      writeNew(place, files, ['package.json']);
      const names = [...files.keys()];
      print(options, { folder: place, files: names }, () => `${names.join('\n')}\n\n${whatNext(place)}`);
    });
}

/** Texts of the files of a new project, by their paths in its folder. @throws as {@link mergedManifest} */
function projectFiles(folder: string, language: Options['language']): ReadonlyMap<string, string> {
  const from = join(templates, language);
  const copied = globSync('**/*.*', { cwd: from })
    .filter((file) => statSync(join(from, file)).isFile() && !file.includes('__pycache__'))
    .toSorted()
    .map((file) => [file, readFileSync(join(from, file), 'utf8')] as const);
  const { packages, scripts } = languages[language];
  const isTyped = language === 'typescript';
  const wanted = {
    name:
      basename(folder)
        .toLowerCase()
        .replaceAll(/[^a-z0-9-]+/g, '-')
        .replaceAll(/^-+|-+$/g, '') || 'jobs',
    private: true,
    // the oldest that runs TypeScript without a build; bin/project-node.mjs warns by the same
    ...(isTyped && { type: 'module', engines: { node: '>=22.18' } }),
    scripts: { start: 'proofline up', ...scripts },
    dependencies: ownPackages([...packages, 'proofline'], folder),
    ...(isTyped && { devDependencies: typeTools() }),
  };
  return new Map([
    ...copied,
    ...(isTyped ? [['tsconfig.json', json({ compilerOptions, include: ['**/*'] })] as const] : []),
    ['.gitignore', `node_modules\n.proofline/\n${isTyped ? '' : '__pycache__/\n'}`],
    ['package.json', json(mergedManifest(present(folder), wanted))],
  ]);
}

const compilerOptions = {
  strict: true,
  noEmit: true,
  target: 'es2024',
  module: 'nodenext',
  types: ['node'],
  allowImportingTsExtensions: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
};

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The package.json that is there; without entries where there is none. */
function present(folder: string): Readonly<Record<string, unknown>> {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return {};
  try {
    return Object(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new AppError('invalid_request', `package.json: expected JSON, got something else in ${file}.`, {}, error);
  }
}

function whatNext(folder: string): string {
  const enter = folder === process.cwd() ? '' : `cd ${folder}\n`;
  return `${enter}npm install\nnpm start          in a terminal of its own\nnpm run worker     in another\nnpm run app`;
}
