import { Type } from 'typebox';
import type { InputKind, Intake } from '#src/platform/edge/intake.ts';
import { chooseRoute } from './choose-route.ts';
import { common, strict } from './common-members.ts';
import { mediaWork } from './media-work.ts';
import { inputText } from './open-intake.ts';
import { ImagesAnswer, presentImages } from './present.ts';
import { shapeOf, sizePattern } from './sizes.ts';

const Input = Type.String({ minLength: 1, description: `In JSON the ${inputText}; in a form the file itself` });
const prompt = Type.String({ minLength: 1, maxLength: 32_000, description: 'Description of the picture' });
const responseFormat = Type.Optional(
  Type.Enum(['url', 'b64_json'], { type: 'string', description: '`url` leaves the bytes out of the answer' }),
);

/** Members that bodies about pictures share, in OpenAI's words. */
const picture = {
  n: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, description: 'Number of pictures' })),
  size: Type.Optional(
    Type.String({
      pattern: sizePattern,
      description: '`auto` or `WIDTHxHEIGHT`; providers make the nearest that they can, and the answer says which',
    }),
  ),
  response_format: responseFormat,
  output_format: Type.Optional(
    Type.Enum(['png', 'jpeg', 'webp'], {
      type: 'string',
      description: 'Format of the picture, where the provider has a choice',
    }),
  ),
  output_compression: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description: 'Handed to the provider' })),
  quality: Type.Optional(Type.String({ maxLength: 20, description: 'Handed to the provider' })),
  background: Type.Optional(Type.String({ maxLength: 20, description: 'Handed to the provider' })),
  stream: Type.Optional(Type.Literal(false, { description: 'Pictures are not streamed' })),
  partial_images: Type.Optional(Type.Literal(0, { description: 'Pictures are not streamed' })),
};

const GenerateBody = Type.Object(
  {
    prompt,
    ...picture,
    style: Type.Optional(Type.String({ maxLength: 20, description: 'Handed to the provider' })),
    moderation: Type.Optional(Type.String({ maxLength: 20, description: 'Handed to the provider' })),
    seed: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 4_294_967_295, description: 'Another number, another picture' }),
    ),
    ...common,
  },
  { ...strict, title: 'ImageGeneration' },
);

const EditBody = Type.Object(
  {
    image: Type.Union([Input, Type.Array(Input, { minItems: 1, maxItems: 16 })], {
      description: 'Pictures to change: one or several',
    }),
    mask: Type.Optional(Input),
    prompt,
    ...picture,
    input_fidelity: Type.Optional(Type.String({ maxLength: 20, description: 'Handed to the provider' })),
    ...common,
  },
  { ...strict, title: 'ImageEdit' },
);

const UpscaleBody = Type.Object(
  {
    image: Input,
    resolution: Type.Optional(
      Type.Integer({ minimum: 64, maximum: 4_320, description: 'Pixels of the short side; twice as many without it' }),
    ),
    response_format: responseFormat,
    ...common,
  },
  { ...strict, title: 'ImageUpscale' },
);

/** Members that a provider is handed unchanged, where the body has them. */
const handed = ['output_compression', 'quality', 'background', 'style', 'moderation', 'seed', 'input_fidelity'];

function optionsOf(body: object): { readonly options?: Readonly<Record<string, unknown>> } {
  const present = Object.entries(body).filter(([name]) => handed.includes(name));
  return present.length === 0 ? {} : { options: Object.fromEntries(present) };
}

/** Reads the wanted number, size and type of pictures, in the words of providers. */
function pictureOf(body: { readonly n?: number; readonly size?: string; readonly output_format?: string }) {
  return {
    ...shapeOf(body.size),
    ...(body.n !== undefined && { count: body.n }),
    ...(body.output_format !== undefined && { mediaType: `image/${body.output_format}` }),
    ...optionsOf(body),
  };
}

/** The pictures of a member, one after the other: no two of them are in memory at once. */
async function taken(intake: Intake, field: string, texts: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const text of texts) ids.push(await intake.take({ text, field, kind: 'picture' }));
  return ids;
}

const pictureFiles = (...names: readonly string[]): Readonly<Record<string, InputKind>> =>
  Object.fromEntries(names.map((name) => [name, 'picture' as const]));

export const imageWorks = [
  mediaWork({
    path: '/images/generate',
    aliases: ['/images/generations'],
    operationId: 'generateImages',
    summary: 'Have pictures made from words',
    body: GenerateBody,
    answer: ImagesAnswer,
    payload: async (context, principal, body) =>
      await chooseRoute(context, principal, {
        capability: 'image.generate',
        name: 'image',
        request: { prompt: body.prompt, ...pictureOf(body) },
        body,
      }),
    present: presentImages,
  }),
  mediaWork({
    path: '/images/edit',
    aliases: ['/images/edits'],
    operationId: 'editImages',
    summary: 'Have pictures changed by words',
    description: 'Takes JSON or a form. Pictures are PNG, JPEG or WebP of at most 40 megapixels.',
    body: EditBody,
    answer: ImagesAnswer,
    files: pictureFiles('image', 'mask'),
    payload: async (context, principal, body, intake) => {
      const { mask } = body;
      const images = [body.image].flat();
      return await chooseRoute(context, principal, {
        capability: 'image.edit',
        name: 'image',
        request: { prompt: body.prompt, inputs: { images }, ...pictureOf(body) },
        take: async () => {
          const pictures = await taken(intake, 'image', images);
          const [masked] = await taken(intake, 'mask', mask === undefined ? [] : [mask]);
          return { images: pictures, ...(masked !== undefined && { mask: masked }) };
        },
        body,
      });
    },
    present: presentImages,
  }),
  mediaWork({
    path: '/images/upscale',
    operationId: 'upscaleImage',
    summary: 'Have a picture made larger',
    description: 'Takes JSON or a form. A picture is PNG, JPEG or WebP of at most 40 megapixels.',
    body: UpscaleBody,
    answer: ImagesAnswer,
    files: pictureFiles('image'),
    payload: async (context, principal, body, intake) => {
      const { resolution } = body;
      const images = [body.image];
      return await chooseRoute(context, principal, {
        capability: 'image.upscale',
        name: 'image',
        request: { prompt: 'larger', inputs: { images }, ...(resolution !== undefined && { resolution }) },
        take: async () => ({ images: await taken(intake, 'image', images) }),
        body,
      });
    },
    present: presentImages,
  }),
];
