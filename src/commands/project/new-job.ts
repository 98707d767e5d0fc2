import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { type Printing, print, withJson } from '#src/commands/terminal/print.ts';
import { namespaceOf } from '#src/jobs/registry/queue-name.ts';
import { AppError } from '#src/lib/errors.ts';
import { type Language, type ListedJob, languages } from './languages.ts';
import { writeNew } from './write-new.ts';

const templates = join(import.meta.dirname, '../../../packages/templates/new');

const help = `
Writes a file of its own into the folder jobs of a project that proofline init made, and adds it to the list that the worker
serves. The first part of the name is a namespace of yours, the rest a verb and a noun.

Examples:
  $ npx proofline new job acme.resize-image

Exit codes: 0 written; 1 the folder cannot be written to; 2 a name or a project that it does not take.`;

export function newCommand(): Command {
  const command = new Command('new').description('add to a project of your own jobs');
  withJson(command.command('job').description('add a job, and have the worker serve it'))
    .argument('<name>', 'name of its queue, as <namespace>.<verb-noun>')
    .addHelpText('after', help)
    .action((name: string, options: Printing) => {
      const files = addJob(resolve('.'), name);
      print(options, { files }, () => files.join('\n'));
    });
  return command;
}

/**
 * Adds a job to the project in a folder; gives the files that it wrote.
 *
 * @throws AppError `invalid_request` for a name that breaks the rule, a folder without a project, an index that is not as
 *   this program writes it, or files in the way; `forbidden` for a namespace of this product
 */
export function addJob(folder: string, name: string): readonly string[] {
  const verbNoun = name.slice(namespaceOf(name).length + 1);
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)+$/.test(verbNoun))
    throw new AppError(
      'invalid_request',
      `name: expected a verb and a noun with a hyphen behind the full stop, as in acme.resize-image, got ${name}.`,
    );
  const { language, index, head, jobs } = listOf(folder);
  const job = language.named(verbNoun);
  const file = join('jobs', `${job.file}.${language.ending}`);
  const text = readFileSync(join(templates, `job.${language.ending}`), 'utf8')
    .replace('acme.do-something', name)
    .replaceAll(language.named('do-something').name, job.name);
  const files = new Map([
    [file, text],
    [index, `${head}${language.listed([...jobs, job])}`],
  ]);
  writeNew(folder, files, [index]);
  return [...files.keys()];
}

/** The list of a project's jobs. */
interface List {
  readonly language: Language;
  /** Its file, from the folder of the project. */
  readonly index: string;
  /** Lines above it, which stay. */
  readonly head: string;
  readonly jobs: readonly ListedJob[];
}

function listOf(folder: string): List {
  for (const language of Object.values(languages)) {
    const index = join('jobs', `${language.index}.${language.ending}`);
    if (!existsSync(join(folder, index))) continue;
    const text = readFileSync(join(folder, index), 'utf8');
    const jobs = [...text.matchAll(language.imported)].map(({ groups }) => ({
      name: groups?.['name'] ?? '',
      file: groups?.['file'] ?? '',
    }));
    const list = language.listed(jobs);
    if (text.endsWith(list)) return { language, index, head: text.slice(0, -list.length), jobs };
    throw new AppError(
      'invalid_request',
      `${index}: expected the list as proofline writes it, got one that was changed by hand; add the job to it by hand.`,
    );
  }
  throw new AppError(
    'invalid_request',
    `expected a project of proofline init, got none in ${folder}: run it there first, or go to its folder.`,
  );
}
