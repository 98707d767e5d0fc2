import { NumberInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ProviderCall } from '#console/api/api.d.ts';
import { callKey, useChange } from '#console/api/use-call.ts';
import { ConfirmButton } from '#console/ui/confirm-button.tsx';
import { formatMoney } from '#console/ui/money.tsx';

/** Writes an unknown call off, or bills it at what the provider's own books say. */
export function DecideCall({ call }: { readonly call: ProviderCall }) {
  const { job_id: job, provider, held_usd: held } = call;
  const client = useQueryClient();
  const [usd, setUsd] = useState<number | string>('');
  const done = () => void client.invalidateQueries({ queryKey: callKey('GET /v1/provider-calls') });
  const writeOff = useChange('POST /v1/provider-calls/{job}/{provider}/write-off', done);
  const bill = useChange('POST /v1/provider-calls/{job}/{provider}/bill', done);
  const path = { job, provider };
  return (
    <>
      <ConfirmButton
        label="Write off"
        name={`Write off the call of ${provider} by ${job}`}
        question="Write this call off?"
        act={async () => await writeOff.mutateAsync({ path, body: null })}
        compact
      >
        The {formatMoney(held)} that it holds are free again, and it counts as nothing. If {provider} says later what it
        cost, that counts.
      </ConfirmButton>{' '}
      <ConfirmButton
        label="Bill"
        name={`Bill the call of ${provider} by ${job}`}
        question="Bill this call?"
        act={async () => await bill.mutateAsync({ path, body: { usd: Number(usd) } })}
        incomplete={typeof usd !== 'number'}
        compact
      >
        <NumberInput
          label="Dollars, by the provider’s own books"
          value={usd}
          onChange={setUsd}
          min={0}
          max={1_000_000}
          decimalScale={6}
          description={`It was quoted at ${formatMoney(call.quoted_usd)}. Ceilings of budgets do not stop it.`}
        />
      </ConfirmButton>
    </>
  );
}
