import type { FastifyInstance, FastifyRequest } from 'fastify';
import { documentOf, type OpenApiDocument } from '#src/http/documents/document.ts';
import { partOf } from '#src/http/documents/part-of-openapi.ts';
import { baseOf } from '#src/http/request/base-url.ts';
import type { PublicUrls } from '#src/system/config/public-url.ts';
import { version } from '#src/system/config/version.ts';

const description =
  'Text, images, video, speech, music and missions, by whichever provider is best for it. Clients of OpenAI’s kind work with the base address `/api/v2`. Errors are problem details (RFC 9457) with the member `error` that such clients read. What takes longer than the wait (`Prefer: wait=N`) is answered with 202 and its job.';

/** Returns the OpenAPI description of the platform alone. Made once: routes do not change. */
export function openapiPart(
  app: FastifyInstance,
  config: PublicUrls,
): (request: FastifyRequest) => Record<string, unknown> {
  let made: Record<string, unknown> | undefined;
  return (request) => {
    made ??= described(documentOf(app));
    return { ...made, servers: [{ url: baseOf(request, config, 'platform') }] };
  };
}

function described(document: OpenApiDocument): Record<string, unknown> {
  return {
    // and the job that a 202 leads to
    ...partOf(document, (path) => /^\/api\/v2(\/|$)/.test(path) || path === '/v1/jobs/{id}'),
    openapi: '3.1.0',
    info: {
      title: 'Proofline generation platform',
      version,
      license: { name: 'Unlicensed', identifier: 'LicenseRef-Unlicensed' },
      description,
    },
  };
}
