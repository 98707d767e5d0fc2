import type { Argument, Command, Option } from 'commander';

/** Values that completion offers: one of these words, a file, a folder, or anything. */
export type Values = readonly string[] | 'file' | 'folder' | 'any';

/** Continuations of some words of a command line. */
export interface Level {
  /** The words so far, for example `proofline jobs list`. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly about: string }[];
  readonly options: readonly {
    /** Its spellings, for example `-f` and `--follow`. */
    readonly flags: readonly string[];
    readonly about: string;
    /** Values that it takes; null for a switch. */
    readonly values: Values | null;
  }[];
  /** Values of its arguments, in their order. */
  readonly args: readonly Values[];
  /** True where the last argument may be repeated. */
  readonly repeats: boolean;
}

const suggestions = new WeakMap<Argument | Option, readonly string[]>();

/** Has completion offer values of an option or argument that takes others too: its help does not list them as all. */
export function suggest<T extends Argument | Option>(taker: T, values: readonly string[]): T {
  suggestions.set(taker, values);
  return taker;
}

/** Every level of a command line, as commander knows it. */
export function levelsOf(command: Command, before = ''): Level[] {
  const path = `${before}${command.name()}`;
  const children = command.commands.flatMap((child) => levelsOf(child, `${path} `));
  const helper = command.createHelp();
  const commands = helper
    .visibleCommands(command)
    .map((child) => ({ name: child.name(), about: helper.subcommandDescription(child) }));
  const own = {
    path,
    commands: command.commands.length > 0 ? commands : [],
    options: helper.visibleOptions(command).map(optionOf),
    args: command.registeredArguments.map((one) => suggestions.get(one) ?? one.argChoices ?? valuesOf(one.name())),
    repeats: command.registeredArguments.at(-1)?.variadic ?? false,
  };
  // commander keeps to itself which command is meant where none is named
  const name: unknown = Reflect.get(command, '_defaultCommandName');
  const meant = children.find((child) => child.path === `${path} ${String(name)}`);
  if (!meant) return [own, ...children];
  const known = new Set(own.options.flatMap(({ flags }) => flags));
  const more = meant.options.filter(({ flags }) => !flags.some((flag) => known.has(flag)));
  return [{ ...own, options: [...own.options, ...more], args: meant.args, repeats: meant.repeats }, ...children];
}

function optionOf(option: Option): Level['options'][number] {
  const { short, long, description, argChoices, required, optional, flags } = option;
  const takes = required || optional;
  const placeholder = /[<[]([^>\].]+)/.exec(flags)?.[1] ?? '';
  return {
    flags: [short, long].filter((flag) => flag !== undefined),
    about: description,
    values: takes ? (suggestions.get(option) ?? argChoices ?? valuesOf(placeholder)) : null,
  };
}

/** By the name of the placeholder: `<file>` and `<folder>` say what they are. */
function valuesOf(placeholder: string): Values {
  return placeholder === 'file' || placeholder === 'folder' ? placeholder : 'any';
}
