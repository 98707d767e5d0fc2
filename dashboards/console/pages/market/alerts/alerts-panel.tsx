import { Select } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { MarketSymbol } from '#console/pages/market/parts/symbols.ts';
import { DataTable } from '#console/ui/data/data-table.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { Live } from '#console/ui/states/live.tsx';
import { Loading } from '#console/ui/states/loading.tsx';
import { momentAtExchange, none, percent, points, words } from '#src/lib/charts/figures.ts';
import { alertKinds, directions, type Signal } from './alert-kinds.ts';
import classes from './alerts-panel.module.css';
import { useAlerts } from './use-alerts.ts';

/** Recent alerts of a symbol, or of all with null, and new ones as they are made. */
export function AlertsPanel({ symbol }: { readonly symbol: MarketSymbol | null }) {
  const [kind, setKind] = useState<string | null>(null);
  const { signals, fresh, connection } = useAlerts(symbol);
  const shown = signals?.filter((signal) => kind === null || signal.kind === kind) ?? null;
  return (
    <Panel
      flush
      title={symbol ? `Alerts of ${symbol}` : 'Alerts of every symbol'}
      aside={
        <>
          <Select
            aria-label="Kind of alert"
            placeholder="Every kind"
            clearable
            data={Object.entries(alertKinds).map(([value, label]) => ({ value, label }))}
            value={kind}
            onChange={setKind}
          />
          <Live state={connection} />
        </>
      }
    >
      <output className="only-heard">{fresh.size > 0 ? `${fresh.size} new alerts` : ''}</output>
      {shown === null && <Loading what="alerts" />}
      {shown && (
        <DataTable
          label="Alerts, newest first"
          rows={shown}
          keyOf={({ id }) => id}
          empty={
            <Empty title={kind ? 'No alert of this kind yet' : 'No alert yet'}>
              Alerts are made when a level is tested or crossed, a regime changes, or a figure leaves its own past. They
              appear here by themselves.
            </Empty>
          }
          columns={[
            {
              title: 'Alert',
              cell: (signal) => <AlertName signal={signal} isFresh={fresh.has(signal.id)} isNamed={symbol === null} />,
            },
            { title: 'Expects', cell: ({ direction }) => directions[direction], from: 'md' },
            { title: 'Level, points', number: true, cell: ({ level }) => points(level) },
            { title: 'Strength', number: true, cell: ({ strength }) => percent(strength, 0), from: 'md' },
            {
              title: 'Why',
              from: 'lg',
              cell: ({ evidence }) =>
                evidence.map(({ metric, value, unit }) => `${words(metric)} ${short(value)} (${unit})`).join('; '),
            },
            { title: 'At, New York', number: true, cell: ({ as_of }) => momentAtExchange(as_of) },
            { title: 'In force', number: true, from: 'md', cell: (signal) => <InForce signal={signal} /> },
          ]}
        />
      )}
    </Panel>
  );
}

function AlertName({
  signal,
  isFresh,
  isNamed,
}: {
  readonly signal: Signal;
  readonly isFresh: boolean;
  readonly isNamed: boolean;
}) {
  return (
    <span className={classes['alert']} title={`No longer true once ${signal.invalidation}`}>
      {isFresh && <span className={classes['new']}>new</span>}
      {isNamed && <Link href={`/market/${signal.symbol}`}>{signal.symbol}</Link>} {alertKinds[signal.kind]}
    </span>
  );
}

/** Time that the alert looks ahead; the market's own clock may not be ours. */
function InForce({ signal }: { readonly signal: Signal }) {
  const ahead = (Date.parse(signal.expires_at) - Date.parse(signal.as_of)) / 60_000;
  return (
    <>
      {signal.horizon === '30m'
        ? '30 min'
        : signal.horizon === '1d'
          ? 'next session'
          : ahead > 0
            ? 'until the close'
            : none}
    </>
  );
}

function short(value: number): string {
  return new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3, notation: 'compact' }).format(value);
}
