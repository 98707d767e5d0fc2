import { Button, Group } from '@mantine/core';
import { useCall } from '#console/api/use-call.ts';
import { KeyValue } from '#console/ui/data/key-value.tsx';
import { Icon } from '#console/ui/icon.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Answered } from '#console/ui/states/answered.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';

const tones = { pass: 'ok', fail: 'bad', pending: 'wait', 'not-checked': 'wait' } as const;

/** The receipt of what was done, and what the service says of it; anyone can check it without the service. */
export function ReceiptPanel({ id }: { readonly id: string }) {
  const verdicts = useCall('GET /api/v1/receipts/{id}/verify', { path: { id }, query: { onchain: '1' } });
  return (
    <Panel title="Receipt">
      <Answered query={verdicts} what="what is said of the receipt">
        {({ integrity, authenticity, anchor }) => (
          <KeyValue
            facts={{
              Integrity: <Verdict {...integrity} />,
              Authenticity: <Verdict {...authenticity} />,
              Anchor: <Verdict {...anchor} />,
            }}
          />
        )}
      </Answered>
      <Group gap="xs" mt="md">
        <Button
          component="a"
          href={`/verify?receipt=${id}`}
          variant="default"
          leftSection={<Icon name="verify" size={14} />}
        >
          Check it yourself
        </Button>
        <Button component="a" href={`/api/v1/receipts/${id}`} variant="default" download={`receipt-${id}.json`}>
          Take it
        </Button>
        <Button variant="default" loading={verdicts.isFetching} onClick={() => void verdicts.refetch()}>
          Look again
        </Button>
      </Group>
    </Panel>
  );
}

function Verdict({ verdict, reason }: { readonly verdict: keyof typeof tones; readonly reason: string }) {
  return (
    <>
      <StateBadge state={verdict === 'not-checked' ? 'not checked' : verdict} tone={tones[verdict]} />
      <div className="quiet">{reason}</div>
    </>
  );
}
