import type { Client } from 'pg';
import type { Position } from '#src/jobs/ledger/relay-position.ts';

const columns = `position, pg_snapshot_xmax(position::pg_snapshot)::text as xmax,
  array(select x::text from pg_snapshot_xip(position::pg_snapshot) x) as open`;

interface Row {
  readonly position: string;
  readonly xmax: string;
  readonly open: string[];
}

const asPosition = ({ position, xmax, open }: Row): Position => ({ snapshot: position, xmax, open });

/** The position of this moment: everything that is committed from now on is behind it. */
export async function positionNow(client: Client): Promise<Position> {
  const { rows } = await client.query<Row>(`select ${columns} from (select pg_current_snapshot()::text as position) s`);
  return asPosition(rows[0]!);
}

/**
 * The stored position in a history of events; null for none, and for one of another history, such as that of the server
 * that a copy was made of.
 */
export async function storedPosition(client: Client, epoch: string): Promise<Position | null> {
  const { rows } = await client.query<Row>(
    `select ${columns} from notification_cursors where name = 'ledger' and epoch in ('', $1)
       and pg_snapshot_xmax(position::pg_snapshot) <= pg_snapshot_xmax(pg_current_snapshot())`,
    [epoch],
  );
  return rows[0] ? asPosition(rows[0]) : null;
}

/** Stores a position. An older one than before costs a second look at events that are delivered once all the same. */
export async function storePosition(client: Client, epoch: string, { snapshot }: Position): Promise<void> {
  await storeCursor(client, 'ledger', epoch, snapshot);
}

/** Position of another source of events; null where there is none. */
export async function readCursor(client: Client, name: string): Promise<string | null> {
  const { rows } = await client.query<{ position: string }>(
    'select position from notification_cursors where name = $1',
    [name],
  );
  return rows[0]?.position ?? null;
}

export async function storeCursor(client: Client, name: string, epoch: string, position: string): Promise<void> {
  await client.query(
    `insert into notification_cursors (name, epoch, position) values ($1, $2, $3)
     on conflict (name) do update set epoch = excluded.epoch, position = excluded.position`,
    [name, epoch, position],
  );
}
