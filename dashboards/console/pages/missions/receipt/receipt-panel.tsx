import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Mission } from '#console/pages/missions/parts/mission.ts';
import { Icon } from '#console/ui/icon.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import { Loading } from '#console/ui/states/loading.tsx';
import { Time } from '#console/ui/time.tsx';
import { CountCard } from './count-card.tsx';
import classes from './receipt-panel.module.css';
import { ServiceReading } from './service-reading.tsx';

/** The sealed receipt, checked in this browser on its three counts; the code that checks is loaded with it. */
export function ReceiptPanel({ of: { missionId: id, sealedAt } }: { readonly of: Mission }) {
  const path = `/api/v1/receipts/${id}`;
  const verified = useQuery({
    queryKey: ['verified receipt', id, 'here'],
    // a verdict is never one from before
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }) => await (await import('./verify-receipt.ts')).verifyHere(id, signal),
  });
  return (
    <Panel title="Receipt" aside={sealedAt !== null && <>sealed {<Time at={sealedAt} />}</>}>
      <p className={classes['by']}>
        Checked by this browser, with the code that <a href="/verify">/verify</a> and the command line use. It believes
        nothing that it cannot recompute.
      </p>
      {verified.isPending && <Loading what="the receipt" />}
      {verified.isError && <Fault error={verified.error} retry={() => void verified.refetch()} />}
      {verified.data && (
        <div className={classes['counts']}>
          <CountCard title="Integrity" question="Is it whole?" count={verified.data.integrity} />
          <CountCard title="Authenticity" question="Who sealed it?" count={verified.data.authenticity} />
          <CountCard title="Anchor" question="Does the chain hold it?" count={verified.data.anchor}>
            {verified.data.anchor.root !== null && <ServiceReading id={id} />}
          </CountCard>
        </div>
      )}
      <div className={classes['links']}>
        <Button
          component="a"
          variant="default"
          href={path}
          download={`receipt-${id}.json`}
          leftSection={<Icon name="download" />}
        >
          Receipt, .json
        </Button>
        <Button
          component="a"
          variant="default"
          href={`${path}.dsse`}
          download={`receipt-${id}.dsse.json`}
          leftSection={<Icon name="download" />}
        >
          Envelope, .dsse
        </Button>
        <Button component="a" variant="default" href={`/verify?receipt=${id}`} leftSection={<Icon name="verify" />}>
          Verify it with a chain of your choice
        </Button>
      </div>
    </Panel>
  );
}
