import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#src/lib/errors.ts';
import { inexactByItem } from '#src/lib/text/inexact-integer.ts';
import { faultOf, forbiddenName, inexactFault } from '#src/lib/validation/client-json.ts';
import { buildRawValidators } from '#src/lib/validation/validators.ts';

/**
 * JSON bodies, and nothing else. A route with `config: { rawBody: … }` gets the bytes as a Buffer, unparsed,
 * whatever their content type says it is; its own `bodyLimit` bounds them, and its body schema is documentation only.
 * Bodies come as they are: a small compressed one could hold any number of bytes.
 */
export function takeBodies(app: FastifyInstance): void {
  app.addHook('preParsing', async ({ headers }, reply) => {
    const coding = headers['content-encoding'];
    if (coding === undefined || coding.toLowerCase() === 'identity') return;
    // RFC 7694: names the codings there are
    reply.header('accept-encoding', 'identity');
    throw encoded(coding);
  });
  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser('error', 'error');

  app.addContentTypeParser(
    ['application/json', 'application/*+json'],
    { parseAs: 'buffer' },
    (request, body: Buffer, done) => {
      const fault = textFault(body, request.headers['content-type']);
      if (fault) done(fault);
      else if (request.routeOptions.config.rawBody) done(null, body);
      // clients that say the type of every request mean nothing by it where there is nothing to say
      else if (body.length === 0 && request.routeOptions.schema?.body === undefined) done(null, undefined);
      // the parser answers through done
      else
        void parseJson(request, body.toString(), (error, value) =>
          done(
            error ? (forbiddenName(body.toString(), error) ?? error) : valueFault(request, body.toString(), value),
            value,
          ),
        );
    },
  );
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const { rawBody } = request.routeOptions.config;
    const type = request.headers['content-type'];
    if (rawBody && rawTypes[rawBody].test(type ?? '')) done(rawBody === 'lines' ? textFault(body, type) : null, body);
    else if (body.length === 0) done(null, undefined);
    else done(unsupported(type, rawBody));
  });
  app.addHook('onRoute', (route) => {
    if (route.config?.rawBody) route.validatorCompiler ??= buildRawValidators(app.getSchemas());
  });
}

/** Finds why a body is refused that is JSON. */
function valueFault(request: FastifyRequest, text: string, value: unknown): AppError | null {
  const { exactNumbers, exactItems } = request.routeOptions.config;
  if (exactItems !== undefined) request.inexactItems = inexactByItem(text, exactItems);
  return faultOf(text, value) ?? (exactNumbers === undefined ? null : inexactFault(text, exactNumbers));
}

/** Content types that a body of bytes may have, beside JSON: an option chain, which may say none, and lines of JSON. */
const rawTypes = {
  chain: /^($|text\/csv\b|application\/csv\b|application\/octet-stream\b)/i,
  lines: /^application\/(x-ndjson|jsonl|jsonlines)\b/i,
} as const;

const alsoTypes = { chain: ' or text/csv', lines: ' or application/x-ndjson' } as const;

/** Bytes that are no UTF-8 would be stored as other text than was sent; null where a body is the text that it says. */
function textFault(body: Buffer, type = ''): AppError | null {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(type)?.[1] ?? 'utf-8';
  if (!/^(utf-?8|us-ascii)$/i.test(charset))
    return new AppError(
      'unsupported_media_type',
      `expected a body in UTF-8, got the charset ${JSON.stringify(charset.slice(0, 100))}.`,
    );
  return isUtf8(body) ? null : new AppError('malformed_body', 'expected a body in UTF-8, got bytes that are not.');
}

function unsupported(type: string | undefined, rawBody: keyof typeof rawTypes | undefined): AppError {
  const also = rawBody ? alsoTypes[rawBody] : '';
  return new AppError(
    'unsupported_media_type',
    `expected Content-Type application/json${also}, got ${JSON.stringify(type ?? 'none')}.`,
  );
}

function encoded(coding: string): AppError {
  return new AppError(
    'unsupported_media_type',
    `expected a body without Content-Encoding, got ${JSON.stringify(coding.slice(0, 100))}; send it uncompressed.`,
  );
}
