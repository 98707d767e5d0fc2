import { Button, SimpleGrid } from '@mantine/core';
import { Link, useParams } from 'wouter';
import { useCall } from '#console/api/use-call.ts';
import { Icon } from '#console/ui/icon.tsx';
import { Page } from '#console/ui/page.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import { Loading } from '#console/ui/states/loading.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { useNow } from '#console/ui/time.tsx';
import { KeyFacts } from './key-facts.tsx';
import { stateOf } from './key-state.ts';
import { KeyUsage } from './key-usage.tsx';
import { LimitKey } from './limit-key.tsx';
import { RevokeKey } from './revoke-key.tsx';

/** One key: what it may do, what it was used for, and the ways to limit and end it. */
export function KeyPage() {
  const { id } = useParams<{ id: string }>();
  const keys = useCall('GET /api/v1/keys', {});
  const now = useNow();
  const back = <Link href="/developers">All keys</Link>;
  const key = keys.data?.data.find((one) => one.id === id);
  const options = { staleTime: 0, enabled: key !== undefined };
  const usage = useCall('GET /api/studio/v1/keys/{id}/usage', { path: { id } }, options);
  if (!key)
    return (
      <Page title="Key" lead={back}>
        {keys.isPending && <Loading what="the key" />}
        {keys.isError && <Fault error={keys.error} retry={() => void keys.refetch()} />}
        {keys.data && (
          <Empty title="You have no such key">
            The address may be mistyped, or the key has another owner. <Link href="/developers">See your keys</Link>.
          </Empty>
        )}
      </Page>
    );
  const state = stateOf(key, now);
  return (
    <Page
      title={key.name}
      beside={<StateBadge state={state} />}
      lead={back}
      actions={
        <>
          <Button
            variant="default"
            leftSection={<Icon name="again" />}
            loading={usage.isFetching}
            onClick={() => void Promise.all([usage.refetch(), keys.refetch()])}
          >
            Count again
          </Button>
          {state !== 'revoked' && <LimitKey of={key} />}
          {state !== 'revoked' && <RevokeKey of={key} />}
        </>
      }
    >
      <SimpleGrid cols={1} spacing="md">
        <KeyFacts of={key} />
        {usage.isPending && <Loading what="what it was used for" />}
        {usage.isError && <Fault error={usage.error} retry={() => void usage.refetch()} />}
        {usage.data && <KeyUsage usage={usage.data} at={usage.dataUpdatedAt} />}
      </SimpleGrid>
    </Page>
  );
}
