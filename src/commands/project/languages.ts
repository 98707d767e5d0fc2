/** A language that a project's jobs are written in. */
export interface Language {
  readonly ending: string;
  /** Name of the file in `jobs` that lists them. */
  readonly index: string;
  /** Scripts of package.json beside `start`. */
  readonly scripts: Readonly<Record<string, string>>;
  /** Packages of ours that a project depends on, beside the program. */
  readonly packages: readonly string[];
  /** Text of the index of some jobs. */
  readonly listed: (jobs: readonly ListedJob[]) => string;
  /** An import in the index: the first group is the job's name in code, the second its file, in this order or the other. */
  readonly imported: RegExp;
  /** Names of a job in code and of its file, without the ending, by the last part of its queue's name. */
  readonly named: (verbNoun: string) => ListedJob;
}

/** A job as the index has it. */
export interface ListedJob {
  readonly name: string;
  readonly file: string;
}

// written by `proofline up` as long as it runs
const access = '.proofline/jobs.env';
const inPython = `set -a && . ./${access} && PYTHONPATH=node_modules/proofline/python python3`;

export const languages: Readonly<Record<'typescript' | 'python', Language>> = {
  typescript: {
    ending: 'ts',
    index: 'index',
    scripts: {
      // an older Node ends with its own words for a file in TypeScript
      preworker: 'proofline check-node',
      worker: `node --watch --env-file=${access} worker.ts`,
      preapp: 'proofline check-node',
      app: `node --env-file=${access} app.ts`,
      check: 'tsc',
    },
    packages: ['@proofline/client', '@proofline/worker'],
    listed: (jobs) =>
      `${jobs.map(({ name, file }) => `import { ${name} } from './${file}.ts';\n`).join('')}
export const jobs = [${jobs.map(({ name }) => name).join(', ')}];
`,
    imported: /^import \{ (?<name>\w+) \} from '\.\/(?<file>[\w-]+)\.ts';$/gm,
    named: (verbNoun) => ({
      name: verbNoun.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
      file: verbNoun,
    }),
  },
  python: {
    ending: 'py',
    index: '__init__',
    scripts: { worker: `${inPython} worker.py`, app: `${inPython} app.py` },
    packages: [],
    listed: (jobs) =>
      `${jobs.map(({ name, file }) => `from .${file} import ${name}\n`).join('')}
jobs = [${jobs.map(({ name }) => name).join(', ')}]
`,
    imported: /^from \.(?<file>\w+) import (?<name>\w+)$/gm,
    named: (verbNoun) => ({ name: verbNoun.replaceAll('-', '_'), file: verbNoun.replaceAll('-', '_') }),
  },
};
