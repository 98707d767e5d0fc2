import { type MediaCapability, mediaCapabilities } from '#queues/providers.ts';

/** Families of capabilities that a client may look for. */
export const familyNames = [
  'text',
  'image',
  'video',
  'speech',
  'transcription',
  'music',
  'avatar',
  'orchestration',
] as const;
export type FamilyName = (typeof familyNames)[number];

/** Name of a capability of the platform: what providers offer, and missions. */
export type CapabilitySlug = MediaCapability | 'orchestrate.run';
export const capabilitySlugs: readonly CapabilitySlug[] = [...mediaCapabilities, 'orchestrate.run'];

interface About {
  readonly title: string;
  readonly description: string;
}

export const families: Readonly<Record<FamilyName, About>> = {
  text: { title: 'Text', description: 'Answers, conversations, calls of tools, structured output' },
  image: { title: 'Images', description: 'Pictures from words, changed pictures, larger pictures' },
  video: { title: 'Video', description: 'Film from words or from a picture' },
  speech: { title: 'Speech', description: 'Spoken words from text' },
  transcription: { title: 'Transcription', description: 'Text from recorded speech' },
  music: { title: 'Music', description: 'Music from words' },
  avatar: { title: 'Avatars', description: 'Films of a speaking person' },
  orchestration: { title: 'Orchestration', description: 'Goals that become governed missions, with receipts' },
};

interface CapabilityRow extends About {
  readonly family: FamilyName;
  /** Routes below `/api/v2` that have it done, those for clients of OpenAI's kind included. */
  readonly paths: readonly string[];
}

/**
 * Every capability, and the routes that have it done; which of them a process serves is for its list of routes to say.
 */
export const capabilityTable: Readonly<Record<CapabilitySlug, CapabilityRow>> = {
  'text.generate': row('text', 'Generate text', 'An answer to a conversation, at once or token by token', [
    '/responses',
    '/chat/completions',
  ]),
  'image.generate': row('image', 'Generate an image', 'Pictures from words', [
    '/images/generate',
    '/images/generations',
  ]),
  'image.edit': row('image', 'Edit an image', 'A picture changed as words say', ['/images/edit', '/images/edits']),
  'image.upscale': row('image', 'Upscale an image', 'The same picture with more pixels', ['/images/upscale']),
  'video.generate': row('video', 'Generate a video', 'Film from words', ['/videos/generate', '/videos']),
  'video.from-image': row('video', 'Make a video from an image', 'A picture that begins to move', [
    '/videos/from-image',
  ]),
  'video.cinematic-shot': row('video', 'Make a cinematic shot', 'A shot with a camera that moves; for the studio', []),
  'video.edit': row('video', 'Edit a video', 'Cuts, sizes, captions; for the studio', []),
  'tts.synthesize': row('speech', 'Synthesize speech', 'Spoken words from text', ['/audio/speech']),
  'audio.transcribe': row('transcription', 'Transcribe speech', 'Text from a recording', ['/audio/transcriptions']),
  'music.generate': row('music', 'Generate music', 'Music from words', ['/music/generate', '/music/compose']),
  'avatar.talking-head-text': row('avatar', 'Make a talking-head video', 'A persona who speaks the given words', [
    '/personas/{id}/video',
  ]),
  'orchestrate.run': row('orchestration', 'Run a goal', 'A governed mission: planned, approved, carried out, sealed', [
    '/orchestrate/run',
  ]),
};

function row(family: FamilyName, title: string, description: string, paths: readonly string[]): CapabilityRow {
  return { family, title, description, paths };
}
