import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Block {
  /** What the fence says: `sh` is for bash and zsh alike. */
  readonly language: string;
  readonly text: string;
  /** The heading it stands under. */
  readonly under: string;
  /** Line of README.md on which its fence stands. */
  readonly line: number;
}

/** The fenced blocks of README.md, in order. */
export function readmeBlocks(): readonly Block[] {
  const text = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  let under = '';
  const blocks: Block[] = [];
  let open: { language: string; line: number; lines: string[] } | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^```(\w*)$/.exec(line)?.[1];
    if (open && fence === '') {
      blocks.push({ language: open.language, text: open.lines.join('\n'), under, line: open.line });
      open = undefined;
    } else if (open) open.lines.push(line);
    else if (fence !== undefined) open = { language: fence, line: index + 1, lines: [] };
    else under = /^#+ (.*)$/.exec(line)?.[1] ?? under;
  }
  return blocks;
}
