import { useQuery } from '@tanstack/react-query';
import { call } from '#console/api/client.ts';
import { Fault } from '#console/ui/states/fault.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';

/** The service's own reading of the chain: its word, which /verify can check with an endpoint of the visitor's own. */
export function ServiceReading({ id }: { readonly id: string }) {
  const reading = useQuery({
    queryKey: ['verified receipt', id, 'by the service'],
    // a verdict is never one from before
    staleTime: 0,
    gcTime: 0,
    queryFn: async () => await call('GET /api/v1/receipts/{id}/verify', { path: { id }, query: { onchain: '1' } }),
  });
  if (reading.isError) return <Fault error={reading.error} retry={() => void reading.refetch()} />;
  if (!reading.data) return null;
  const { verdict, finality, equalsRoot } = reading.data.anchor;
  return (
    <div>
      <StateBadge
        state={`the service reads: ${verdict}${finality === null ? '' : `, ${finality}`}`}
        tone={verdict === 'pass' ? 'ok' : verdict === 'fail' ? 'bad' : 'ask'}
      />
      {equalsRoot === true && <div>Calldata on the chain equals the root.</div>}
    </div>
  );
}
