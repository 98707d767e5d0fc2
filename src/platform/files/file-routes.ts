import multipart from '@fastify/multipart';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { ContentHeaders, contentAnswers, sendContent } from '#src/http/content/send-content.ts';
import { principalOf } from '#src/http/request/guard.ts';
import { AppError } from '#src/lib/errors.ts';
import { buildRawValidators } from '#src/lib/validation/validators.ts';
import { cursorOf, ListQuery, listOf, pageOf } from '#src/platform/edge/list-query.ts';
import type { Context } from '#src/system/context.ts';
import { acceptUpload, UploadForm } from './accept-upload.ts';
import { deleteFile, filePurposes, listFiles, readFile, type StoredFile } from './file-store.ts';
import { FileView, fileView } from './file-view.ts';
import { takeUpload } from './take-upload.ts';

const tags = ['openai'];
const read = { scope: 'platform.mcp.read' } as const;
const write = { scope: 'platform.mcp.execute' } as const;
const Params = Type.Object({ id: Type.String({ maxLength: 100, description: 'Id of a file: `file-…`' }) });

/** Files that clients bring and fetch, under the paths and in the shapes of OpenAI. */
export const fileRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  // the form is read part by part; routes for other forms register their own parser
  await app.register(multipart);
  app.addSchema(FileView);

  app.post(
    '/files',
    {
      config: write,
      // the form is checked as it is read: its schema is documentation
      validatorCompiler: buildRawValidators(app.getSchemas()),
      schema: {
        tags,
        summary: 'Bring a file',
        description: 'It is stored for `expires_after[seconds]`, and never longer than the service stores files.',
        operationId: 'createFile',
        consumes: ['multipart/form-data'],
        body: UploadForm,
        response: { 200: Type.Ref('PlatformFile') },
      },
    },
    async (request) =>
      fileView(await acceptUpload(context, principalOf(request).owner, await takeUpload(context, request))),
  );

  app.get(
    '/files',
    {
      config: read,
      schema: {
        tags,
        summary: 'List your files',
        operationId: 'listFiles',
        querystring: Type.Object({
          ...ListQuery.properties,
          order: Type.Enum(['asc', 'desc'], { type: 'string', default: 'desc', description: 'By when they came' }),
          purpose: Type.Optional(Type.Enum([...filePurposes], { type: 'string', description: 'Only those' })),
        }),
        response: { 200: pageOf(Type.Ref('PlatformFile'), 'Files') },
      },
    },
    async (request) => {
      const { after, limit, ...filter } = request.query;
      const { owner } = principalOf(request);
      const files = await listFiles(context, { ...filter, owner, after: cursorOf('file', after), limit: limit + 1 });
      return listOf(files.map(fileView), limit);
    },
  );

  app.get(
    '/files/:id',
    {
      config: read,
      schema: {
        tags,
        summary: 'Read what there is to say of a file',
        operationId: 'readFile',
        params: Params,
        response: { 200: Type.Ref('PlatformFile') },
      },
    },
    async (request) => fileView(await fileOf(context, principalOf(request).owner, request.params.id)),
  );

  const sendFile = async (request: FastifyRequest, reply: FastifyReply, id: string) => {
    const file = await fileOf(context, principalOf(request).owner, id);
    const { sha256, size, mediaType: type, name } = file;
    const disposition = `attachment; filename="${plain(name)}"`;
    return await sendContent(context, request, reply, { what: `file ${file.id}`, sha256, size, type, disposition });
  };
  app.get(
    '/files/:id/content',
    {
      // the route that Fastify makes would read the file to throw it away
      exposeHeadRoute: false,
      config: read,
      schema: {
        tags,
        summary: 'Read the bytes of a file, or a part of them',
        operationId: 'readFileContent',
        params: Params,
        headers: ContentHeaders,
        response: contentAnswers('application/octet-stream'),
      },
    },
    async (request, reply) => await sendFile(request, reply, request.params.id),
  );
  app.head(
    '/files/:id/content',
    { config: read, schema: { hide: true, params: Params, headers: ContentHeaders } },
    async (request, reply) => await sendFile(request, reply, request.params.id),
  );
  app.delete(
    '/files/:id',
    {
      config: write,
      schema: {
        tags,
        summary: 'Forget a file',
        operationId: 'deleteFile',
        params: Params,
        response: {
          200: Type.Object({
            id: Type.String(),
            object: Type.Enum(['file'], { type: 'string' }),
            deleted: Type.Boolean({ description: 'True: the file is gone' }),
          }),
        },
      },
    },
    async (request) => {
      await deleteFile(context, await fileOf(context, principalOf(request).owner, request.params.id));
      return { id: request.params.id, object: 'file' as const, deleted: true };
    },
  );
};

/** @throws AppError `not_found` */
async function fileOf(context: Context, owner: string, id: string): Promise<StoredFile> {
  const file = await readFile(context, owner, id);
  if (file) return file;
  throw new AppError('not_found', `expected the id of a file of yours, got ${JSON.stringify(id)}, which is none.`);
}

/** A name that can stand in a header, and is no hidden file. */
function plain(name: string): string {
  const safe = name
    .normalize('NFKD')
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[-.]+/, '');
  return safe === '' ? 'file' : safe;
}
