import { createInterface } from 'node:readline/promises';

/** As JSON in which no character hides or turns another: who reads it is to approve just that. */
export function shownExactly(value: unknown): string {
  const escape = (one: string) => `\\u{${one.codePointAt(0)?.toString(16)}}`;
  return JSON.stringify(value, null, 2).replaceAll(/[^\P{C}\n]/gu, escape);
}

/** Asks the person at the terminal for a yes; false without a terminal. */
export async function isAgreed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} (yes/no) `);
  terminal.close();
  return answer.trim().toLowerCase() === 'yes';
}
