const keys = /sk-platform-[0-9A-Za-z]{6,}/g;

/** A text without anything that looks like one of our keys: for logs, answers, and whatever else others read. */
export function maskKeys(text: string): string {
  return text.replace(keys, 'sk-platform-[removed]');
}

export function holdsKey(text: string): boolean {
  return text.search(keys) >= 0;
}
