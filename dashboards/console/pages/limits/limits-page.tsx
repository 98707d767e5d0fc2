import { useSession } from '#console/api/session.ts';
import { RulesPanel } from '#console/pages/queue/rules-panel.tsx';
import { Page } from '#console/ui/page.tsx';
import { EditLimit } from './edit-limit.tsx';
import { LimitsPanel } from './limits-panel.tsx';
import { OwnLimitsPanel } from './own-limits-panel.tsx';
import { RefusalsPanel } from './refusals-panel.tsx';

/** How much callers may: the visitor’s own limits, and for operators those of all with whom they refuse. */
export function LimitsPage() {
  const { operator: isOperator } = useSession();
  return (
    <Page
      title="Limits"
      lead="How many unfinished jobs a caller may have in a queue, and how many requests it may make."
      actions={isOperator && <EditLimit label="Set a limit" size="sm" />}
    >
      <OwnLimitsPanel />
      {isOperator && (
        <>
          <RefusalsPanel />
          <LimitsPanel />
          <RulesPanel queue="*" />
        </>
      )}
    </Page>
  );
}
