import type { Command } from 'commander';
import { withJson } from '#src/commands/terminal/print.ts';
import { withAccess } from './api-access.ts';

/** Makes the subcommands of a command: each asks the API, prints JSON where wanted, and ends its help with the same text. */
export function subcommandsOf(command: Command, help: string) {
  return (name: string, about: string, isDefault = false): Command =>
    withJson(withAccess(command.command(name, { isDefault }).description(about))).addHelpText('after', help);
}
