import { Link, useLocation } from 'wouter';
import { Empty } from './empty.tsx';
import { Page } from './page.tsx';

export function NotFound() {
  const [path] = useLocation();
  return (
    <Page title="No such page">
      <Empty title={`There is nothing at ${path}`}>
        The address may be mistyped, or from another version. <Link href="/">Go to the overview</Link>.
      </Empty>
    </Page>
  );
}
