import { Link, useLocation } from 'wouter';
import { Page } from '#console/ui/page.tsx';
import { Empty } from './states/empty.tsx';

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
