import { Command, Option } from 'commander';
import { type Printing, print, withJson } from '#src/commands/terminal/print.ts';
import type { Setting } from '#src/system/config/setting-kinds.ts';
import { settings } from '#src/system/config/settings.ts';

const help = `
Examples:
  $ npm run proofline -- settings
  $ npm run --silent proofline -- settings --markdown > docs/settings.md

Exit codes: 0 done; 2 wrong use.`;

export function settingsCommand(): Command {
  return withJson(
    new Command('settings').description('list every setting: its environment variable, default, unit and meaning'),
  )
    .addOption(new Option('--markdown', 'as docs/settings.md has them').conflicts('json'))
    .addHelpText('after', help)
    .action((options: Printing & { markdown?: boolean }) =>
      print(options, settingsList(), options.markdown ? settingsMarkdown : settingsText),
    );
}

const rows = (): [string, Setting][] => Object.entries<Setting>(settings);

/** Every setting as data. */
export function settingsList() {
  return rows().map(([name, { about, shown, unit, expected, secret }]) => ({
    name,
    default: shown,
    unit: unit || null,
    takes: expected,
    about,
    secret: secret ?? false,
  }));
}

function settingsText(): string {
  return rows()
    .map(([name, { about, shown, unit, expected }]) => {
      const plain = [`default ${shown}`, unit && `unit ${unit}`, expected].filter(Boolean).join('; ');
      return `${name}\n    ${about}\n    ${plain}\n`;
    })
    .join('');
}

/** A bar would end the cell of a table. */
const cell = (text: string): string => text.replaceAll('|', '\\|');

/** The text of `docs/settings.md`. */
export function settingsMarkdown(): string {
  const lines = rows().map(
    ([name, { shown, unit, expected, about, secret }]) =>
      `| \`${name}\` | ${cell(shown)} | ${cell(unit)} | ${cell(expected)} | ${cell(about)}${secret ? ' Secret.' : ''} |`,
  );
  return [
    '# Settings',
    '',
    'Rendered from `src/system/config/settings.ts` by `proofline settings --markdown`; a test holds the two equal.',
    'Every setting is an environment variable. An empty one counts as not set. A wrong value, or an unknown name that',
    'starts with `PROOFLINE_`, stops the start with one sentence.',
    '',
    '| variable | default | unit | takes | meaning |',
    '| --- | --- | --- | --- | --- |',
    ...lines,
    '',
  ].join('\n');
}
