import { Route, Switch } from 'wouter';
import { ApprovalPage } from '#console/pages/studio/approvals/approval-page.tsx';
import { ApprovalsPage } from '#console/pages/studio/approvals/approvals-page.tsx';
import { AssetPage } from '#console/pages/studio/assets/asset-page.tsx';
import { BriefPage } from '#console/pages/studio/briefs/brief-page.tsx';
import { NewBriefPage } from '#console/pages/studio/briefs/new-brief-page.tsx';
import { PlanPage } from '#console/pages/studio/briefs/plan-page.tsx';
import { StudioJobPage } from '#console/pages/studio/jobs/studio-job-page.tsx';
import { useStudioEvents } from '#console/pages/studio/parts/use-studio-events.ts';
import { NotFound } from '#console/ui/not-found.tsx';
import { StudioPage } from './studio-page.tsx';

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
