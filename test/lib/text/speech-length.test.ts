import { expect, test } from 'vitest';
import { estimateSpeechSeconds } from '#src/lib/text/speech-length.ts';
import { textLanguage } from '#src/lib/text/text-language.ts';
import { openSpeaker, USUAL_RATE } from '#src/providers/local/sound/speech.ts';

const texts: readonly (readonly [string, string])[] = [
  [
    'en',
    'The harbour wakes. Boats leave before dawn. The lamp lights up. Open from May until the first storm of autumn.',
  ],
  ['en', 'Harbour Coffee was founded four hundred years ago by monks who carried beans across the mountains.'],
  ['en', 'In 2026 we sold 1,250,000 cups at $3.50 each.'],
  ['de', 'Der Hafen erwacht. Boote fahren vor der Dämmerung hinaus. Die Lampe leuchtet auf.'],
  ['es', 'El puerto despierta. Los barcos salen antes del amanecer.'],
  ['ru', 'Гавань просыпается. Лодки уходят до рассвета.'],
  ['zh', '港口醒来了。渔船在黎明前出海。灯亮了。我们从五月开始营业。'],
  ['ja', 'みなとがめざめます。ふねがでます。'],
  ['ko', '항구가 깨어납니다. 배들은 새벽 전에 떠납니다.'],
  ['ar', 'الميناء يستيقظ. القوارب تغادر قبل الفجر.'],
  ['he', 'הנמל מתעורר. הסירות יוצאות לפני עלות השחר.'],
  ['el', 'Το λιμάνι ξυπνά. Τα πλοία φεύγουν πριν την αυγή.'],
  ['th', 'ท่าเรือตื่นขึ้น เรือออกก่อนรุ่งสาง'],
];

test.for(texts)('%s: the estimate is within a quarter of what the voice takes: %s', async ([language, text]) => {
  expect(textLanguage(text)).toBe(language);
  const { samples } = (await openSpeaker(null, language)).speak(text, USUAL_RATE, 120);
  const seconds = samples.length / 48_000;
  expect(estimateSpeechSeconds(text)).toBeGreaterThan(seconds * 0.75);
  expect(estimateSpeechSeconds(text)).toBeLessThan(seconds * 1.25);
});

test.for(['', '123', 'Zyx Qwrt', '...'])('the language of %j is not known', (text) => {
  expect(textLanguage(text)).toBeNull();
});
