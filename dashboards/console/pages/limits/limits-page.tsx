import { useSession } from '#console/api/session.ts';
import { RulesPanel } from '#console/pages/queue/rules-panel.tsx';
import { Page } from '#console/ui/page.tsx';
import { EditLimit } from './edit-limit.tsx';
import { LimitsPanel } from './limits-panel.tsx';
import { OwnLimitsPanel } from './own-limits-panel.tsx';
import { RefusalsPanel } from './refusals-panel.tsx';

/** Limits of callers: the visitor’s own, and for operators those of all beside what they refuse. */
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
