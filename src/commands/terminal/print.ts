import type { Command } from 'commander';

/** Form in which a command prints: for people, or for programs. */
export interface Printing {
  readonly json?: boolean;
}

/** Gives a command the option `--json`, which {@link print} and {@link printLine} go by. */
export function withJson(command: Command): Command {
  return command.option('--json', 'print JSON, for programs');
}

/** Prints what a command found: its text, or with `--json` the value. Diagnostics go to stderr. */
export function print({ json }: Printing, value: unknown, text: () => string): void {
  write(json ? JSON.stringify(value, null, 2) : text());
}

/** Prints one of many things as it comes: its text, or with `--json` one line of JSON. */
export function printLine({ json }: Printing, value: unknown, text: () => string): void {
  write(json ? JSON.stringify(value) : text());
}

function write(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}
