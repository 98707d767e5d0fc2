import type { Visit } from './visit.ts';

/** Calls the API as the person at a page, who has a session: with its cookie, its token, and from its origin. */
export type Caller = (method: 'GET' | 'POST', path: string, body?: object) => Promise<any>;

/** For what people do beside the page: prepare something, or decide in a terminal. */
export async function callerOf({ page }: Pick<Visit, 'page'>): Promise<Caller> {
  const { origin } = new URL(page.url());
  const { csrf_token: token } = await (await page.request.get(`${origin}/auth/session`)).json();
  return async (method, path, body) => {
    const answer = await page.request.fetch(`${origin}${path}`, {
      method,
      headers: { origin, 'x-csrf-token': token },
      ...(body && { data: body }),
    });
    if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`);
    return await answer.json();
  };
}
