import { Route, Switch } from 'wouter';
import { NotFound } from '#console/ui/not-found.tsx';
import { ApprovalPage } from './approval-page.tsx';
import { ApprovalsPage } from './approvals-page.tsx';
import { AssetPage } from './asset-page.tsx';
import { BriefPage } from './brief-page.tsx';
import { NewBriefPage } from './new-brief-page.tsx';
import { PlanPage } from './plan-page.tsx';
import { StudioJobPage } from './studio-job-page.tsx';
import { StudioPage } from './studio-page.tsx';
import { useStudioEvents } from './use-studio-events.ts';

/** All pages of the studio: they stand over one stream, which goes on from page to page. */
export function StudioPages() {
  const live = useStudioEvents();
  return (
    <Switch>
      <Route path="/studio">
        <StudioPage live={live} />
      </Route>
      <Route path="/studio/new" component={NewBriefPage} />
      <Route path="/studio/approvals" component={ApprovalsPage} />
      <Route path="/studio/briefs/:id">{({ id }) => <BriefPage key={id} id={id} />}</Route>
      <Route path="/studio/plans/:id">{({ id }) => <PlanPage key={id} id={id} />}</Route>
      <Route path="/studio/approvals/:id">{({ id }) => <ApprovalPage key={id} id={id} />}</Route>
      <Route path="/studio/jobs/:id">{({ id }) => <StudioJobPage key={id} id={id} />}</Route>
      <Route path="/studio/assets/:id">{({ id }) => <AssetPage key={id} id={id} />}</Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
