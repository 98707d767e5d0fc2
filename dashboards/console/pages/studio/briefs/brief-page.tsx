import { Button } from '@mantine/core';
import { Link } from 'wouter';
import classes from '#console/pages/studio/parts/two-columns.module.css';
import { useBrief, usePlansOf } from '#console/pages/studio/parts/use-studio.ts';
import { modeWords, titleOf } from '#console/pages/studio/parts/words.ts';
import { CopyId } from '#console/ui/copy-id.tsx';
import { KeyValue } from '#console/ui/data/key-value.tsx';
import { Page } from '#console/ui/page.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Answered } from '#console/ui/states/answered.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import { Time } from '#console/ui/time.tsx';
import { channelFormats } from '#src/studio/domain/channel-formats.ts';
import { ComparePlans } from './compare-plans.tsx';
import { PlanForm } from './plan-form.tsx';

/** A brief, and the ways it could be carried out. */
export function BriefPage({ id }: { readonly id: string }) {
  const brief = useBrief(id);
  const plans = usePlansOf(id);
  if (brief.isError)
    return (
      <Page title="Brief" lead={<Link href="/studio">Studio</Link>}>
        <Fault error={brief.error} retry={() => void brief.refetch()} />
      </Page>
    );
  return (
    <Page
      title={brief.data ? titleOf(brief.data) : 'Brief'}
      lead={<Link href="/studio">Studio</Link>}
      actions={
        <Button component={Link} href="/studio/new" variant="default">
          Another brief
        </Button>
      }
    >
      <div className={classes['columns']}>
        <Panel title="Brief">
          <Answered query={brief} what="the brief">
            {({ mode, prompt, targetFormats, channels, managedByPlatform, createdAt }) => (
              <>
                <p className={classes['prompt']}>{prompt}</p>
                <KeyValue
                  facts={{
                    Kind: modeWords[mode].title,
                    Formats: targetFormats.join(', ') || 'those of its channels',
                    Channels: channels.map((one) => channelFormats[one].title).join(', ') || 'none named',
                    'Carried out': managedByPlatform ? 'by Proofline' : 'elsewhere: only kept here',
                    Written: <Time at={createdAt} />,
                    Id: <CopyId value={id} what="brief id" />,
                  }}
                />
              </>
            )}
          </Answered>
        </Panel>
        <Panel title="Plan it">
          <PlanForm brief={id} />
        </Panel>
      </div>
      <Panel title="Plans side by side" flush>
        <Answered query={plans} what="plans">
          {({ plans: rows }) =>
            rows.length === 0 ? (
              <Empty title="Not planned yet">
                A plan chooses providers for every step and says what they cost. Choose what decides, and plan it: it
                runs nothing. Plan again by another policy to compare.
              </Empty>
            ) : (
              <ComparePlans plans={rows} />
            )
          }
        </Answered>
      </Panel>
    </Page>
  );
}
