import type { Area, Mode, RoutePolicy } from './studio-types.ts';

/** Words that people read in place of the API's. */

export const modeWords: Readonly<Record<Mode, { readonly title: string; readonly about: string }>> = {
  video: { title: 'Film', about: 'Pictures, narration and music in one film for each format' },
  publish: { title: 'Silent film', about: 'Pictures in motion, no voice: no proof of personhood is needed' },
  campaign: { title: 'Campaign', about: 'A film for each format, each with pictures of its own' },
  voice: { title: 'Narration', about: 'The text, spoken' },
  persona: { title: 'Persona', about: 'A face and a voice that say the text' },
  avatar: { title: 'Avatar', about: 'A speaking avatar' },
};

export const policyWords: Readonly<Record<RoutePolicy, { readonly title: string; readonly about: string }>> = {
  balanced: { title: 'Balanced', about: 'Quality and cost 30 % each, speed and health 20 % each' },
  quality_first: { title: 'Quality first', about: 'Quality 60 %, health 20 %, cost and speed 10 % each' },
  speed_first: { title: 'Speed first', about: 'Speed 55 %, health 20 %, quality 15 %, cost 10 %' },
  cost_guarded: { title: 'Cost guarded', about: 'Cost 55 %, health 20 %, quality 15 %, speed 10 %' },
};

export const areaWords: Readonly<Record<Area['area'], string>> = {
  liveProviderSpend: 'Runs providers',
  publishing: 'Publishing',
  voiceAndLikeness: 'Voice or likeness',
  commercialClaims: 'Commercial claims',
};

const capabilityWords: Readonly<Record<string, string>> = {
  'image.generate': 'Pictures',
  'image.edit': 'Changes a picture',
  'image.upscale': 'Enlarges a picture',
  'video.generate': 'Film',
  'video.from-image': 'Film from a picture',
  'video.cinematic-shot': 'Cinematic shot',
  'video.edit': 'Edits a film',
  'avatar.talking-head-text': 'Speaking avatar',
  'tts.synthesize': 'Voice',
  'audio.transcribe': 'Transcript',
  'music.generate': 'Music',
  'text.generate': 'Text',
};

export function capabilityTitle(capability: string): string {
  return capabilityWords[capability] ?? capability;
}

/** Name of a work that has no title: the beginning of its words. */
export function titleOf({ title, prompt }: { readonly title: string | null; readonly prompt: string }): string {
  if (title) return title;
  const [first = prompt] = prompt.split(/(?<=[.!?])\s/u);
  return first.length > 60 ? `${first.slice(0, 57).trimEnd()}…` : first;
}

const sizes = ['B', 'kB', 'MB', 'GB'] as const;

/** Bytes, in the unit that reads best. */
export function formatSize(bytes: number): string {
  const power = Math.min(sizes.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${(bytes / 1_000 ** power).toFixed(power === 0 ? 0 : 1)} ${sizes[power]}`;
}
