import { Type } from 'typebox';
import { personaOf } from '#src/platform/personas/personas.ts';
import { chooseRoute } from './choose-route.ts';
import { common, strict } from './common-members.ts';
import { wrong } from './keep-input.ts';
import { mediaWork } from './media-work.ts';
import { inputText } from './open-intake.ts';
import { MadeAnswer, presentMade } from './present.ts';
import { shapeOf, sizePattern } from './sizes.ts';

const Prompt = Type.String({ minLength: 1, maxLength: 32_000, description: 'Description of the picture or music' });
const Seconds = Type.Number({ exclusiveMinimum: 0, maximum: 300, description: 'Length in seconds' });

const film = {
  seconds: Type.Optional(
    Type.Union([Seconds, Type.String({ pattern: '^[1-9]\\d{0,2}$' })], {
      description: 'Length in seconds: up to 300, as a number or as digits; a suitable one without it',
    }),
  ),
  size: Type.Optional(
    Type.String({
      pattern: sizePattern,
      description: '`auto` or `WIDTHxHEIGHT`; providers make the nearest that they can',
    }),
  ),
  title: Type.Optional(
    Type.String({ minLength: 1, maxLength: 140, description: 'Shown where the provider shows one' }),
  ),
};

/** Body of a film made from words. */
export const VideoBody = Type.Object({ prompt: Prompt, ...film, ...common }, { ...strict, title: 'VideoGeneration' });
/** Body of a film made from a picture. */
export const FromImageBody = Type.Object(
  {
    image: Type.String({ minLength: 1, description: `In JSON the ${inputText}; in a form the file itself` }),
    prompt: Type.Optional(Prompt),
    ...film,
    ...common,
  },
  { ...strict, title: 'VideoFromImage' },
);
const PersonaBody = Type.Object(
  {
    input: Type.String({ minLength: 1, maxLength: 32_000, description: 'The words that are spoken' }),
    id: Type.Optional(Type.String({ maxLength: 40, description: 'Id of the persona; that of the path counts' })),
    ...film,
    ...common,
  },
  { ...strict, title: 'PersonaVideo' },
);
const MusicBody = Type.Object(
  { prompt: Prompt, seconds: Type.Optional(Seconds), ...common },
  { ...strict, title: 'MusicGeneration' },
);
const ComposeBody = Type.Object(
  {
    prompt: Type.Optional(
      Type.String({ minLength: 1, maxLength: 4_000, description: 'Description that holds for all of it' }),
    ),
    sections: Type.Array(
      Type.Object({ prompt: Type.String({ minLength: 1, maxLength: 1_000 }), seconds: Seconds }, strict),
      { minItems: 1, maxItems: 24, description: 'Its parts, in order; together at most 300 s' },
    ),
    ...common,
  },
  { ...strict, title: 'VideoComposition' },
);

/** Length and shape, in the words of providers. @throws AppError `invalid_request` for more than 300 s */
function filmOf({
  seconds,
  size,
  title,
}: {
  readonly seconds?: number | string;
  readonly size?: string;
  readonly title?: string;
}) {
  if (Number(seconds) > 300) throw wrong('seconds', `expected at most 300, got ${seconds}`);
  return {
    ...(seconds !== undefined && { seconds: Number(seconds) }),
    ...shapeOf(size),
    ...(title !== undefined && { title }),
  };
}

export const fromWords = mediaWork({
  path: '/videos/generate',
  operationId: 'generateVideo',
  summary: 'Have a film made from words',
  body: VideoBody,
  answer: MadeAnswer,
  payload: async (context, principal, body) =>
    await chooseRoute(context, principal, {
      capability: 'video.generate',
      name: 'video',
      request: { prompt: body.prompt, ...filmOf(body) },
      body,
    }),
  present: presentMade('video'),
});

export const fromImage = mediaWork({
  path: '/videos/from-image',
  operationId: 'generateVideoFromImage',
  summary: 'Have a film made that starts from a picture',
  description: 'Takes JSON or a form. A picture is PNG, JPEG or WebP of at most 40 megapixels.',
  body: FromImageBody,
  answer: MadeAnswer,
  files: { image: 'picture' },
  payload: async (context, principal, body, intake) => {
    const { image, prompt } = body;
    return await chooseRoute(context, principal, {
      capability: 'video.from-image',
      name: 'video',
      request: {
        // an instruction of ours is nothing to be said or captioned
        ...(prompt === undefined ? { prompt: 'Bring the picture to life.', script: '' } : { prompt }),
        inputs: { images: [image] },
        ...filmOf(body),
      },
      take: async () => ({ images: [await intake.take({ text: image, field: 'image', kind: 'picture' })] }),
      body,
    });
  },
  present: presentMade('video'),
});

export const filmWorks = [
  fromWords,
  fromImage,
  mediaWork({
    path: '/personas/{id}/video',
    operationId: 'generatePersonaVideo',
    summary: 'Have a persona say something in a film',
    body: PersonaBody,
    answer: MadeAnswer,
    payload: async (context, principal, body) => {
      if (body.id === undefined) throw wrong('id', 'expected the id of a persona, got none');
      const { title, voice, language, instructions } = personaOf(context, body.id);
      return await chooseRoute(context, principal, {
        capability: 'avatar.talking-head-text',
        name: 'video',
        request: {
          prompt: body.input,
          ...(voice !== undefined && { voice }),
          ...(language !== undefined && { language }),
          ...(instructions !== undefined && { options: { instructions } }),
          ...filmOf({ title, ...body }),
        },
        body,
      });
    },
    present: presentMade('video'),
  }),
  mediaWork({
    path: '/music/generate',
    operationId: 'generateMusic',
    summary: 'Have music made from words',
    body: MusicBody,
    answer: MadeAnswer,
    payload: async (context, principal, body) => {
      const { prompt, seconds } = body;
      const request = { prompt, ...(seconds !== undefined && { seconds }) };
      return await chooseRoute(context, principal, { capability: 'music.generate', name: 'music', request, body });
    },
    present: presentMade('audio'),
  }),
  mediaWork({
    path: '/music/compose',
    operationId: 'composeMusic',
    summary: 'Have music made from its parts',
    body: ComposeBody,
    answer: MadeAnswer,
    payload: async (context, principal, body) => {
      const { sections, prompt } = body;
      const seconds = sections.reduce((sum, section) => sum + section.seconds, 0);
      if (seconds > 300) throw wrong('sections', `expected at most 300 s together, got ${seconds}`);
      const parts = sections.map((section, index) => `${index + 1}. ${section.prompt} (${section.seconds} s)`);
      const request = { prompt: [...(prompt === undefined ? [] : [prompt]), ...parts].join('\n'), seconds };
      return await chooseRoute(context, principal, { capability: 'music.generate', name: 'music', request, body });
    },
    present: presentMade('audio'),
  }),
];
