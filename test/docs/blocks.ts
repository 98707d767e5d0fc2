import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** README and every page in `docs`, as paths from the root. Decisions are notes with a date, not pages to work by. */
export const pages: readonly string[] = ['README.md', ...globSync('docs/*.md', { cwd: root }).toSorted()];

export interface Block {
  /** Path of its page. */
  readonly page: string;
  /** Language of the fence: `sh` is for bash and zsh alike; a `console` block is not run. */
  readonly language: string;
  readonly text: string;
  /** Page, line of the fence, and heading. */
  readonly at: string;
}

/** The text of a page, or of any other file. */
export function readPage(page: string): string {
  return readFileSync(join(root, page), 'utf8');
}

/** The fenced blocks of a page, in order. */
export function blocksOf(page: string): readonly Block[] {
  let under = '';
  const blocks: Block[] = [];
  let open: { language: string; line: number; lines: string[] } | undefined;
  for (const [index, line] of readPage(page).split('\n').entries()) {
    const fence = /^```(\w*)$/.exec(line)?.[1];
    if (open && fence === '') {
      blocks.push({
        page,
        language: open.language,
        text: open.lines.join('\n'),
        at: `${page}:${open.line} (${under})`,
      });
      open = undefined;
    } else if (open) open.lines.push(line);
    else if (fence !== undefined) open = { language: fence, line: index + 1, lines: [] };
    else under = /^#+ (.*)$/.exec(line)?.[1] ?? under;
  }
  if (open) throw new Error(`expected the fence of ${page}:${open.line} to be closed, got the end of the page`);
  return blocks;
}

/** The blocks of a page that a shell runs. */
export function shellBlocks(page: string, ...languages: readonly string[]): readonly Block[] {
  return blocksOf(page).filter(({ language }) => languages.includes(language));
}

/** The text of a page without its fenced blocks. */
export function proseOf(page: string): string {
  return readPage(page).replaceAll(/^```[\s\S]*?^```$/gm, '');
}
