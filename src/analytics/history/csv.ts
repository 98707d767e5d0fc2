/** Values of a cell; a list is written with spaces between. */
export type Cell = string | number | boolean | null | readonly (string | number)[];

/** Comma-separated lines with a heading; null is empty, and what holds a comma, quote or line break is quoted. */
export function csvText(columns: readonly string[], rows: readonly Readonly<Record<string, Cell>>[]): string {
  const lines = rows.map((row) => columns.map((column) => cell(row[column] ?? null)).join(','));
  return [columns.join(','), ...lines, ''].join('\r\n');
}

function cell(value: Cell): string {
  if (value === null) return '';
  const text = typeof value === 'object' ? value.join(' ') : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
