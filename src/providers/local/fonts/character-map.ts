/**
 * The characters that a TrueType or OpenType font has glyphs for, from its `cmap` table (formats 4 and 12).
 *
 * @see https://learn.microsoft.com/typography/opentype/spec/cmap
 */
export function charactersOf(font: Uint8Array): ReadonlySet<number> {
  const view = new DataView(font.buffer, font.byteOffset, font.byteLength);
  const table = tableAt(view, 'cmap');
  const points = new Set<number>();
  if (table === null) return points;
  for (let index = 0; index < view.getUint16(table + 2); index++) {
    const platform = view.getUint16(table + 4 + index * 8);
    const subtable = table + view.getUint32(table + 8 + index * 8);
    // 1 is the old Macintosh's, which is not of Unicode
    if (platform === 1) continue;
    const format = view.getUint16(subtable);
    if (format === 4) readSegments(view, subtable, points);
    if (format === 12) readGroups(view, subtable, points);
  }
  return points;
}

function tableAt(view: DataView, name: string): number | null {
  for (let index = 0; index < view.getUint16(4); index++) {
    const entry = 12 + index * 16;
    const tag = String.fromCharCode(...[0, 1, 2, 3].map((at) => view.getUint8(entry + at)));
    if (tag === name) return view.getUint32(entry + 8);
  }
  return null;
}

function readSegments(view: DataView, at: number, points: Set<number>): void {
  const doubled = view.getUint16(at + 6);
  for (let offset = 0; offset < doubled; offset += 2) {
    const last = view.getUint16(at + 14 + offset);
    const first = view.getUint16(at + 16 + doubled + offset);
    const delta = view.getUint16(at + 16 + doubled * 2 + offset);
    const rangeAt = at + 16 + doubled * 3 + offset;
    const range = view.getUint16(rangeAt);
    for (let point = first; point <= last && point < 0xffff; point++) {
      const glyph = range === 0 ? (point + delta) & 0xffff : view.getUint16(rangeAt + range + (point - first) * 2);
      if (glyph !== 0) points.add(point);
    }
  }
}

function readGroups(view: DataView, at: number, points: Set<number>): void {
  for (let index = 0; index < view.getUint32(at + 12); index++) {
    const group = at + 16 + index * 12;
    const last = view.getUint32(group + 4);
    for (let point = view.getUint32(group); point <= last; point++) points.add(point);
  }
}
