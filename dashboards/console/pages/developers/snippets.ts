import type { Surface } from './surfaces.ts';

/** The languages that examples are in. */
export const languages = { curl: 'curl', typescript: 'TypeScript' } as const;
export type Language = keyof typeof languages;

/** A call of a surface as one pastes it; the key comes from `PROOFLINE_KEY`. `origin`: where the service is. */
export function snippetOf(language: Language, surface: Surface, origin: string): string {
  return language === 'curl' ? curlOf(surface, origin) : typescriptOf(surface, origin);
}

/** Settings with which an agent uses the service (Model Context Protocol). */
export function agentSettings(origin: string): string {
  const server = { type: 'http', url: `${origin}/api/mcp`, headers: { Authorization: 'Bearer sk-platform-…' } };
  return JSON.stringify({ mcpServers: { proofline: server } }, null, 2);
}

function curlOf({ path, body }: Surface, origin: string): string {
  const lines = [`curl -s ${origin}${path}`, '-H "Authorization: Bearer $PROOFLINE_KEY"'];
  // a single quote would end the argument
  const text = body && JSON.stringify(body).replaceAll("'", String.raw`'\''`);
  if (text !== undefined) lines.push("-H 'Content-Type: application/json'", `-d '${text}'`);
  return lines.join(' \\\n  ');
}

function typescriptOf({ method, path, body }: Surface, origin: string): string {
  const headers = ['    authorization: `Bearer ${process.env.PROOFLINE_KEY}`,'];
  if (body) headers.push("    'content-type': 'application/json',");
  return [
    `const answer = await fetch('${origin}${path}', {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    '  headers: {',
    ...headers,
    '  },',
    ...(body ? [`  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}),`] : []),
    '});',
    'if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);',
    'console.log(await answer.json());',
  ].join('\n');
}
