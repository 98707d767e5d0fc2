import type { Medium, Said } from './format-table.ts';
import type { Mode } from './words.ts';

const named: Readonly<Record<Medium, string>> = {
  film: 'a film',
  picture: 'a picture',
  sound: 'sound',
  soundtrack: 'the sound of a film',
  recording: 'a recording',
};

interface Made {
  readonly media: readonly Medium[];
  readonly text: string;
}

const spokenFilm: Made = {
  media: ['film', 'sound', 'soundtrack'],
  text: 'films with sound (MP4 with H.264 and AAC)',
};

/** The final files of each mode; pictures and recordings that go into a film are none. */
const madeBy: Readonly<Record<Mode, Made>> = {
  video: spokenFilm,
  avatar: spokenFilm,
  persona: spokenFilm,
  campaign: spokenFilm,
  publish: { media: ['film'], text: 'films without sound (MP4 with H.264)' },
  voice: { media: ['sound', 'recording'], text: 'speech (WAV)' },
};

/** Checks whether a brief of this mode makes films, which have a shape. */
export function makesFilms(mode: Mode): boolean {
  return madeBy[mode].media.includes('film');
}

/** Warns where formats request something else than a brief of this mode makes, in sentences. */
export function mediumWarnings(said: readonly Said[], mode: Mode): readonly string[] {
  const { media, text } = madeBy[mode];
  const instead = `a brief of the mode ${mode} makes ${text}.`;
  const others = said.flatMap(({ medium }) =>
    medium && !media.includes(medium.kind)
      ? [`${JSON.stringify(medium.written)} asks for ${named[medium.kind]}; ${instead}`]
      : [],
  );
  const aspect = said.find(({ shape }) => shape !== undefined)?.shape?.aspect;
  const resolution = said.find((one) => one.resolution !== undefined)?.resolution;
  const seen = makesFilms(mode)
    ? []
    : [aspect && `the shape ${aspect}`, resolution && `${resolution}p`].filter((one) => typeof one === 'string');
  return [...new Set([...others, ...seen.map((one) => `${one} was requested, which sound does not have; ${instead}`)])];
}
