import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { errorPagePath } from '#src/http/errors/error-link.ts';
import { type ErrorCode, errorCodes } from '#src/lib/error-codes.ts';
import { refuseOtherOrigins } from './cors.ts';

const source = join(import.meta.dirname, '../../../docs/errors.md');
const style =
  'body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color-scheme:light dark}dt{font-family:monospace;font-weight:bold;margin-top:1rem}:target{outline:2px solid;outline-offset:.3rem}';

const headers = {
  'cache-control': 'public, max-age=300',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
};

/** The page that errors link to: every code, with an anchor of its own, and its reasons. */
export const errorPageRoutes: FastifyPluginAsyncTypebox = async (app) => {
  refuseOtherOrigins(app);
  const page = errorPage(readFileSync(source, 'utf8'));
  const querystring = Type.Object({ reason: Type.Optional(Type.String({ maxLength: 40 })) });
  app.get(
    errorPagePath,
    { config: { access: 'public' }, schema: { hide: true, querystring } },
    async (_request, reply) => await reply.headers(headers).type('text/html; charset=utf-8').send(page),
  );
};

/**
 * The two tables of docs/errors.md as a page; its words and codes are ours, so that only its marks are to be escaped.
 */
export function errorPage(markdown: string): string {
  const rows = (pattern: RegExp) =>
    [...markdown.matchAll(pattern)].map(([, name = '', meaning = '']) => ({ name, meaning }));
  const codes = rows(/^\| `(\w+)` \| \d{3} \| (?:yes|no) \| (.+) \|$/gm).map(({ name, meaning }) => {
    const { status, title } = errorCodes[name as ErrorCode];
    return `<dt id="${name}">${name}</dt><dd>${status} ${title}. ${marked(meaning)}</dd>`;
  });
  const reasons = rows(/^\| `(\w+)` \| `\w+`(?:, `\w+`)* \| (.+) \|$/gm).map(
    ({ name, meaning }) => `<dt id="reason-${name}">${name}</dt><dd>${marked(meaning)}</dd>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Error codes</title><style>${style}</style><h1>Error codes</h1><dl>${codes.join('')}</dl><h2>Reasons</h2><dl>${reasons.join('')}</dl></html>\n`;
}

function marked(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped.replaceAll(/`([^`]*)`/g, '<code>$1</code>');
}
