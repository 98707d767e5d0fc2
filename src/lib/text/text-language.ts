/** Scripts that one language, or one voice, is taken for. Han alone is Chinese, with kana it is Japanese. */
const scripts: readonly (readonly [RegExp, string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Thai}/u, 'th'],
  [/\p{Script=Devanagari}/u, 'hi'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Greek}/u, 'el'],
  [/\p{Script=Cyrillic}/u, 'ru'],
];

/** Words that a language cannot do without, and that few of the others have. */
const frequent: Readonly<Record<string, string>> = {
  en: 'the a an and of to in is are was were it its you your we our us they this that with for from on at by as be been have has not but or who what when where will can more than every all no my me i he she his her their do does make makes here there now into up out one two three new',
  de: 'der die das ein eine einen einem einer und ist sind war waren nicht mit für von zu zum zur im in am an auf aus bei als auch wie wir ihr sie er es ich du mehr jetzt nur unser unsere ihre sich dem den des oder aber wird werden hat haben kann sehr ohne nach über unter ihren seit',
  fr: 'le la les un une des du de et est sont dans pour avec sur pas ne que qui nous vous ils elles ce cette ces au aux plus par se son sa ses notre votre leur mais ou où il elle je tu en à été être avoir sans',
  es: 'el la los las un una unos y es son en de del con para por que no se su sus nuestro nuestra tu más como al lo pero o este esta muy sin ya desde hasta yo él ella nosotros',
  it: 'il lo la gli le un una di del della e è sono in con per che non si su più come al nostro vostro da dal ma o questo questa molto senza noi voi',
  pt: 'o a os as um uma de do da dos das e é são em no na com para por que não se seu sua mais como ao nosso nossa mas ou este esta muito sem nós você',
  nl: 'de het een en is zijn niet met voor van te op in uit bij als ook we wij jij hij zij ik meer nu maar of dit dat deze onze uw wordt heeft kan zeer zonder naar over',
};
const frequentSets = Object.entries(frequent).map(
  ([language, words]) => [language, new Set(words.split(' '))] as const,
);
const LETTER = /\p{L}/u;

/**
 * The language of a text as a BCP 47 tag (`en`, `de`, `zh`), by its script or by the small words in it: a guess, for
 * choosing a voice and for saying what was not checked. Null where nothing decides it.
 */
export function textLanguage(text: string): string | null {
  const letters = Array.from(text).filter((character) => LETTER.test(character));
  if (letters.length === 0) return null;
  for (const [script, language] of scripts) {
    const count = letters.filter((letter) => script.test(letter)).length;
    // Japanese writes most of its nouns in Han
    if (count / letters.length > (language === 'ja' ? 0.1 : 0.3)) return language;
  }
  const words = text.toLowerCase().match(/[\p{L}’']+/gu) ?? [];
  const scores = frequentSets.map(([language, set]) => ({
    language,
    hits: words.filter((word) => set.has(word)).length,
  }));
  const [first, second] = scores.toSorted((left, right) => right.hits - left.hits);
  return first !== undefined && first.hits > (second?.hits ?? 0) ? first.language : null;
}
