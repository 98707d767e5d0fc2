import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { charactersOf } from '#src/providers/local/fonts/character-map.ts';
import type { PartedScript } from '#src/providers/local/fonts/font-table.ts';
import { glyphWarnings, missingGlyphs } from '#src/providers/local/fonts/missing-glyphs.ts';
import { textRuns } from '#src/providers/local/fonts/text-runs.ts';
import { unpackFonts } from '#src/providers/local/fonts/unpack-fonts.ts';
import { svgOf, titleCard } from '#src/providers/local/picture/cards.ts';
import { openDrawing } from '#src/providers/local/picture/draw.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'glyphs-'));
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

const drawn: readonly (readonly [string, string, PartedScript | null])[] = [
  ['Latin', 'Größe ñ Ł ş', null],
  ['Greek', 'Ελληνικά', null],
  ['Cyrillic', 'Кириллица', null],
  ['Arabic', 'الميناء يستيقظ', null],
  ['Hebrew', 'הנמל מתעורר', null],
  ['Armenian and Georgian', 'Հայերեն ქართული', null],
  ['Chinese, simplified', '港口醒来了，灯亮了。', 'chinese'],
  ['Chinese, traditional', '繁體龍灣', 'chinese'],
  ['Japanese', 'カフェが開く', 'japanese'],
  ['Korean', '항구가 깨어납니다', 'korean'],
  ['Thai', 'ท่าเรือตื่นขึ้น', 'thai'],
  ['emoji', '🎉🚀👩🍜', 'emoji'],
];

test.for(drawn)('%s is drawn: %s', async ([, text, script]) => {
  expect(await missingGlyphs(text)).toEqual([]);
  expect(textRuns(text).map((run) => run.script)).toContain(script);
  // what the list of a package promises is in the files that are unpacked
  const files = [...(await unpackFonts([text], folder))];
  const held = new Set<number>();
  for (const file of files) for (const point of charactersOf(await readFile(file))) held.add(point);
  if (script !== null)
    for (const { text: run } of textRuns(text).filter((one) => one.script === script))
      for (const character of run.replace(/[\s\p{Default_Ignorable_Code_Point}]/gu, ''))
        expect(held.has(character.codePointAt(0) ?? 0)).toBe(true);
  const box = '\u{10FFFD}';
  const drawing = await openDrawing({ texts: [text], folder });
  const size = { width: 300, height: 100 };
  const boxes = Array.from(text, (character) => (/\s/u.test(character) ? ' ' : box)).join('');
  expect(drawing.png(svgOf(size, titleCard(size, text, '')))).not.toEqual(
    drawing.png(svgOf(size, titleCard(size, boxes, ''))),
  );
});

test.for([
  ['Devanagari', 'हिन्दी', 'ह (U+0939)'],
  ['Bengali', 'বাংলা', 'ব (U+09AC)'],
  ['Tamil', 'தமிழ்', 'த (U+0BA4)'],
  ['Khmer', 'ខ្មែរ', 'ខ (U+1781)'],
  ['Cuneiform', '𒀀', '𒀀 (U+12000)'],
] as const)('%s is not drawn, and its characters are named', async ([, text, named]) => {
  const [warning = ''] = await glyphWarnings(`Harbour ${text}`);
  expect(warning).toContain(`No font here can draw ${named}`);
  expect(warning).not.toContain('H (');
});

test('emoji of several parts are drawn by the first, and that is said', async () => {
  expect(await glyphWarnings('👩‍🚀 🇩🇪 1️⃣ 👍🏽 ❤️')).toEqual([
    'Emoji of several parts are drawn by their first part: 👩‍🚀 as 👩, 🇩🇪 as DE, 1️⃣ as 1, 👍🏽 as 👍.',
  ]);
  expect(await glyphWarnings('Plain ☕ ★ 😀')).toEqual([]);
});

test('of many characters the first are named, and how many more there are', async () => {
  const text = Array.from({ length: 30 }, (_, index) => String.fromCodePoint(0x12000 + index)).join('');
  expect((await glyphWarnings(text)).join()).toContain(' and 18 more: each is shown as an empty box');
});

test('a long title is drawn smaller, and none of it is left out', async () => {
  const title =
    'A harbour that wakes long before its town, and boats that leave before the dawn of a day nobody has seen yet, every morning';
  const card = titleCard({ width: 360, height: 640 }, title, '');
  const words = [...card.matchAll(/<text[^>]*>([^<]*)</gu)].map(([, line]) => line).join(' ');
  expect(words).toBe(title);
});
