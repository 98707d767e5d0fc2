/**
 * A font that is cut into parts by characters, as a package of woff2 files; a part is unpacked when a text needs it.
 */
export interface PartedFont {
  readonly package: string;
  /** Beginning of its files' names. */
  readonly stem: string;
  /** Its name inside the files, which a drawing asks for. */
  readonly family: string;
  /** Ends of the names of parts that are not taken: characters that the main font has. */
  readonly without: readonly string[];
  /**
   * Width of an outline, in ems, that brings its thinnest weight (which is all that can be drawn of it) to a usual one.
   */
  readonly outline: number;
}

const latin = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'vietnamese'];
const noto = (name: string, family: string, outline = 0): PartedFont => ({
  package: `@fontsource-variable/${name}`,
  stem: name,
  family,
  without: latin,
  outline,
});

/** The font of everything that it has: Latin, Greek, Cyrillic, Arabic, Hebrew, Armenian, Georgian and many signs. */
export const MAIN_FAMILY = 'DejaVu Sans';

const THIN = 0.03;
/**
 * Fonts for what the main one lacks, by the script that they are for (SIL Open Font License). None is here for
 * Devanagari and its relatives: the drawing library (resvg 0.35) sets vowels that stand before their consonant in the
 * wrong place, and a text that is said to be missing is better than one that is garbled.
 */
export const partedFonts = {
  chinese: noto('noto-sans-sc', 'Noto Sans SC Thin', THIN),
  japanese: noto('noto-sans-jp', 'Noto Sans JP Thin', THIN),
  korean: noto('noto-sans-kr', 'Noto Sans KR Thin', THIN),
  thai: noto('noto-sans-thai', 'Noto Sans Thai'),
  emoji: noto('noto-emoji', 'Noto Emoji'),
} as const satisfies Readonly<Record<string, PartedFont>>;
export type PartedScript = keyof typeof partedFonts;
