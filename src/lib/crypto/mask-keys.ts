const keys = /sk-platform-[0-9A-Za-z]{6,}/g;

/** Stream tokens, which stand in addresses: those are in texts of errors sooner than keys are. */
const tokens = /st-[\w-]{43}/g;

/** A text without anything that looks like one of our keys or stream tokens: for logs, answers, and what others read. */
export function maskKeys(text: string): string {
  return text.replace(keys, 'sk-platform-[removed]').replace(tokens, 'st-[removed]');
}

export function holdsKey(text: string): boolean {
  return text.search(keys) >= 0;
}
