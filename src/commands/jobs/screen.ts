import { emitKeypressEvents } from 'node:readline';
import type { Frame } from './top-text.ts';

/** The terminal of this process, taken over until it is disposed. */
export interface Screen extends Disposable {
  /** Its size now: a process that another one started gets no signal when it changes. */
  readonly size: () => Frame;
  /** Shows these lines in place of what was there. */
  readonly draw: (lines: readonly string[]) => void;
}

// another page than the one that the shell writes on, without a cursor, and without lines that go on in the next one
const take = '\u001b[?1049h\u001b[?25l\u001b[?7l';
const give = '\u001b[?7h\u001b[?25h\u001b[?1049l';

/** Takes the terminal over; gives it back when disposed, and also when the process ends in another way. */
export function openScreen(onQuit: () => void): Screen {
  const { stdin, stdout } = process;
  let isOpen = true;
  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    process.removeListener('exit', close);
    stdin.removeListener('keypress', hear);
    if (stdin.isTTY) stdin.setRawMode(false);
    stdin.pause();
    stdout.write(give);
  };
  // without its own way of handling keys, Ctrl-C comes as one
  const hear = (_text: string | undefined, key: { readonly name?: string; readonly ctrl?: boolean }) => {
    if (key.name === 'q' || (key.ctrl && (key.name === 'c' || key.name === 'd'))) onQuit();
  };
  process.once('exit', close);
  if (stdin.isTTY) {
    emitKeypressEvents(stdin);
    stdin.setRawMode(true);
    stdin.on('keypress', hear);
    stdin.resume();
  }
  stdout.write(take);
  return {
    size: () => {
      const [columns, rows] = stdout.getWindowSize();
      // a terminal that does not know its size says 0
      return { columns: columns || 80, rows: rows || 24 };
    },
    draw: (lines) => void stdout.write(`\u001b[H${lines.map((line) => `${line}\u001b[K`).join('\r\n')}\u001b[J`),
    [Symbol.dispose]: close,
  };
}
