import { Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { SessionContext, useVisitor } from '#console/api/session.ts';
import { NotFound } from '#console/ui/not-found.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import { Loading } from '#console/ui/states/loading.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Frame } from './frame.tsx';
import { routes } from './routes.ts';
import { SignIn } from './sign-in.tsx';

/** The whole of it: a visitor who is not signed in sees the sign-in, and nothing else. */
export function Console() {
  const visitor = useVisitor();
  if (visitor.isPending) return <Loading what="Proofline" />;
  if (visitor.isError) return <Fault error={visitor.error} retry={() => void visitor.refetch()} />;
  const { session, sign_in: canSignIn } = visitor.data;
  if (!session) return <SignIn possible={canSignIn} />;
  return (
    <SessionContext value={session}>
      <Frame>
        <Switch>
          {routes.map(({ path, page: Page }) => (
            <Route key={path} path={path}>
              <ErrorBoundary key={path}>
                <Suspense fallback={<Loading what="the page" />}>
                  <Page />
                </Suspense>
              </ErrorBoundary>
            </Route>
          ))}
          <Route>
            <NotFound />
          </Route>
        </Switch>
      </Frame>
    </SessionContext>
  );
}
