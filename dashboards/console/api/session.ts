import { useQueryClient } from '@tanstack/react-query';
import { createContext, use, useEffect } from 'react';
import type { Answer } from './client.ts';
import { call, callAs } from './client.ts';
import { forgetStreams, whenRefused } from './events.ts';
import { callKey, useCall } from './use-call.ts';

type Visitor = Answer<'GET /auth/visitor'>;

/** Session of the visitor who is signed in. */
export type Session = NonNullable<Visitor['session']>;

export const SessionContext = createContext<Session | null>(null);

/** Returns the session; for pages, which only a signed-in visitor sees. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('useSession: expected to be within a page, got no session.');
  return session;
}

/** Reads the visitor: once, and again when an answer says that the session is over. */
export function useVisitor() {
  const client = useQueryClient();
  const visitor = useCall('GET /auth/visitor', {}, { staleTime: Number.POSITIVE_INFINITY });
  const token = visitor.data?.session?.csrf_token ?? null;
  // at once, not in an effect: what is drawn below may call already
  const askAgain = () => void client.invalidateQueries({ queryKey: callKey('GET /auth/visitor') });
  callAs(token, askAgain);
  whenRefused(askAgain);
  useEffect(() => {
    if (token === null) forgetStreams();
  }, [token]);
  return visitor;
}

/** Signs out, and forgets everything that was read. */
export async function signOut(): Promise<void> {
  await call('POST /auth/sign-out');
  // a new page: nothing of what was read stays anywhere
  location.assign('/');
}

/** Address of the sign-in, which leads back to the present page. */
export function signInAddress(): string {
  const { pathname, search } = location;
  return `/auth/sign-in?${new URLSearchParams({ return_to: pathname + search })}`;
}
