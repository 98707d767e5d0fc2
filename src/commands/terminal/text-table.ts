/** Rows of cells as lines, each column as wide as its widest cell. The first row is the heading. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const shown = rows.map((row) => row.map(plain));
  const widths = (shown[0] ?? []).map((_, column) => Math.max(...shown.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return shown.map((row) => line(row).trimEnd()).join('\n');
}

/** A text in one line in which no character steers the terminal: others wrote it. */
export function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/\p{C}/gu, '\u{FFFD}');
}

/** A time to the second, as tables show it. */
export function shownTime(at: string): string {
  return at.replace(/\.\d+Z$/, 'Z');
}
