import { Type } from 'typebox';
import { soundFormats, whyNoSound } from '#src/providers/catalogue/sound-formats.ts';
import { ffmpegReason } from '#src/providers/local/local-health.ts';
import { chooseRoute } from './choose-route.ts';
import { common, strict } from './common-members.ts';
import { mediaWork } from './media-work.ts';
import { inputText } from './open-intake.ts';
import { MadeAnswer, presentMade, presentTranscript, TranscriptAnswer } from './present.ts';

/** Formats of what was said that are no JSON. */
export const captions: Readonly<Record<string, string>> = { srt: 'application/x-subrip', vtt: 'text/vtt' };

const Language = Type.String({
  pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}$',
  maxLength: 35,
  description: 'BCP 47 (`de`, `pt-BR`)',
});

const SpeechBody = Type.Object(
  {
    input: Type.String({ minLength: 1, maxLength: 32_000, description: 'The words that are spoken' }),
    voice: Type.Optional(
      Type.Union(
        [
          Type.String({ minLength: 1, maxLength: 80 }),
          Type.Object({ id: Type.String({ minLength: 1, maxLength: 80 }) }, strict),
        ],
        { description: 'A provider’s name of the voice; one it does not know gives another of the language' },
      ),
    ),
    response_format: Type.Optional(
      Type.Enum(Object.keys(soundFormats), {
        type: 'string',
        description:
          'Format of the answer, whatever the provider makes; `opus` in Ogg, `pcm` as 24 kHz, 16 bits, one channel, without a head. Without it the provider’s own format; Content-Type names it',
      }),
    ),
    language: Type.Optional(Language),
    speed: Type.Optional(Type.Number({ minimum: 0.25, maximum: 4, description: 'Handed to the provider' })),
    instructions: Type.Optional(Type.String({ maxLength: 4_096, description: 'Handed to the provider' })),
    stream_format: Type.Optional(
      Type.Enum(['audio'], { type: 'string', description: 'Speech comes as its bytes, not as events' }),
    ),
    ...common,
  },
  { ...strict, title: 'SpeechCreation' },
);

const TranscribeBody = Type.Object(
  {
    file: Type.String({ minLength: 1, description: `In a form the recording itself; in JSON the ${inputText}` }),
    language: Type.Optional(Language),
    prompt: Type.Optional(
      Type.String({ maxLength: 4_096, description: 'Words that may occur; handed to the provider' }),
    ),
    response_format: Type.Optional(
      Type.Enum(['json', 'text', ...Object.keys(captions)], { type: 'string', description: '`json` without it' }),
    ),
    temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'Handed to the provider' })),
    stream: Type.Optional(Type.Literal(false, { description: 'It comes as a whole' })),
    ...common,
  },
  { ...strict, title: 'TranscriptionCreation' },
);

/** Picks from a body the named members that it has. */
function membersOf(body: object, names: readonly string[]): { readonly options?: Readonly<Record<string, unknown>> } {
  const found = Object.entries(body).filter(([name]) => names.includes(name));
  return found.length === 0 ? {} : { options: Object.fromEntries(found) };
}

export const audioWorks = [
  mediaWork({
    path: '/audio/speech',
    operationId: 'createSpeech',
    summary: 'Have words spoken',
    description: 'Answers the bytes of the sound. A line of a batch gets the asset as JSON.',
    body: SpeechBody,
    answer: MadeAnswer,
    payload: async (context, principal, body) => {
      const { input, voice, response_format: format, language } = body;
      const mediaType = format === undefined ? null : soundFormats[format as keyof typeof soundFormats];
      const lacking = mediaType === null ? null : await ffmpegReason();
      return await chooseRoute(context, principal, {
        capability: 'tts.synthesize',
        name: 'speech',
        request: {
          prompt: input,
          ...(voice !== undefined && { voice: typeof voice === 'string' ? voice : voice.id }),
          ...(language !== undefined && { language }),
          ...(mediaType !== null && { mediaType }),
          ...membersOf(body, ['speed', 'instructions']),
        },
        // before a provider is called: its answer could not be converted
        whyNot: (provider) => whyNoSound(provider, mediaType, lacking),
        body,
      });
    },
    present: presentMade('audio'),
  }),
  mediaWork({
    path: '/audio/transcriptions',
    operationId: 'createTranscription',
    summary: 'Have a recording written down',
    description: 'Takes a form or JSON. `text`, `srt` and `vtt` are answered as text.',
    body: TranscribeBody,
    answer: TranscriptAnswer,
    files: { file: 'recording' },
    payload: async (context, principal, body, intake) => {
      const { file, language, response_format: format = 'json' } = body;
      const mediaType = captions[format];
      return await chooseRoute(context, principal, {
        capability: 'audio.transcribe',
        name: 'transcript',
        request: {
          prompt: 'Write down what is said.',
          inputs: { audio: file },
          ...(language !== undefined && { language }),
          ...(mediaType !== undefined && { mediaType }),
          ...membersOf(body, ['prompt', 'temperature']),
        },
        take: async () => ({ audio: await intake.take({ text: file, field: 'file', kind: 'recording' }) }),
        body,
      });
    },
    present: presentTranscript,
  }),
];
