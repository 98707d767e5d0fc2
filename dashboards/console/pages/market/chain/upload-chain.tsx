import { Button, FileButton } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useChange } from '#console/api/use-call.ts';
import type { MarketSymbol } from '#console/pages/market/parts/symbols.ts';
import { readAgain } from '#console/pages/market/parts/use-market.ts';
import { Icon } from '#console/ui/icon.tsx';
import { Fault } from '#console/ui/states/fault.tsx';

/** Takes in a chain of one's own, from a file; what is shown of the symbol is read again when its figures are there. */
export function UploadChain({ symbol }: { readonly symbol: MarketSymbol }) {
  const client = useQueryClient();
  const [fault, setFault] = useState<Error | null>(null);
  const upload = useChange('POST /v1/snapshot', async () => await readAgain(client, symbol));
  const take = async (file: File | null) => {
    if (!file) return;
    setFault(null);
    try {
      const text = await file.text();
      const chain = text.trimStart().startsWith('{') ? jsonOf(file.name, text) : text;
      await upload.mutateAsync({ body: { symbol, chain } } as Parameters<typeof upload.mutateAsync>[0]);
    } catch (error) {
      setFault(error instanceof Error ? error : new Error(String(error)));
    }
  };
  return (
    <>
      <FileButton onChange={(file) => void take(file)} accept=".csv,.json,text/csv,application/json">
        {(props) => (
          <Button {...props} variant="default" loading={upload.isPending} leftSection={<Icon name="plus" size={14} />}>
            Upload a chain of {symbol}
          </Button>
        )}
      </FileButton>
      {fault && <Fault error={fault} />}
    </>
  );
}

function jsonOf(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${name}: expected whole JSON, or CSV, got text that begins like JSON and is none.`, {
      cause: error,
    });
  }
}
