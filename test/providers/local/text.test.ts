import { expect, test } from 'vitest';
import { countWords, splitShots } from '#src/providers/local/picture/split-shots.ts';
import { cleanLine, cleanText, escapeXml } from '#src/providers/local/text/clean-text.ts';
import { textWidth, wrapText } from '#src/providers/local/text/wrap-text.ts';

test('controls, lone surrogates, direction marks and private characters are gone; letters of any script stay', () => {
  expect(cleanText('a\u0000b\u0007 \ud800c \u202Ed \uFFFF\uE000e')).toBe('a b \uFFFDc d e');
  expect(cleanText('один 你好 مرحبا 😀')).toBe('один 你好 مرحبا 😀');
  expect(cleanText(' one\r\n\n  two\t three ')).toBe('one\ntwo three');
  expect(cleanLine('one\ntwo')).toBe('one two');
});

test('marks that climb over each other are cut to four', () => {
  expect(cleanText(`x${'\u0331'.repeat(500)}`)).toHaveLength(5);
});

test('text in SVG is text', () => {
  expect(escapeXml(`<a href="x" title='y'>&amp;</a>`)).not.toMatch(/[<>"']|&(?!#\d+;)/);
});

test('a prompt becomes a line for each sentence, without the numbers of its author', () => {
  expect(splitShots('Scene 1: A harbour wakes. Gulls!\n2. The café opens\n- Night falls.')).toEqual([
    'A harbour wakes.',
    'Gulls!',
    'The café opens',
    'Night falls.',
  ]);
});

test('long sentences are cut at their clauses, and elsewhere where they have none', () => {
  const clauses = splitShots(
    'A woman walks along the pier in the morning light, her coat in the wind, while behind her the boats come in one by one.',
  );
  expect(clauses.length).toBeGreaterThan(1);
  expect(clauses[0]).toMatch(/,$/);
  for (const line of splitShots('word '.repeat(300))) expect(countWords(line)).toBeLessThanOrEqual(14);
  for (const line of splitShots('字'.repeat(3_000))) expect(line.length).toBeLessThanOrEqual(120);
  for (const line of splitShots('x'.repeat(5_000))) expect(line.length).toBeLessThanOrEqual(120);
});

test('nothing but blanks and stops has no line', () => {
  expect(splitShots(' … !! \n --- ')).toEqual([]);
});

test('wrapped lines are as narrow as requested, whatever the text, and an ellipsis ends what is too long', () => {
  for (const text of [
    'one two three four five six seven '.repeat(3),
    'Donaudampfschifffahrtsgesellschaft'.repeat(4),
    '字'.repeat(80),
  ]) {
    const lines = wrapText(text, 10, 3);
    expect(lines.length).toBeLessThanOrEqual(3);
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(10);
    expect(lines.at(-1)).toMatch(/…$/);
  }
  expect(wrapText('short', 10, 3)).toEqual(['short']);
  expect(wrapText('', 10, 3)).toEqual([]);
});
