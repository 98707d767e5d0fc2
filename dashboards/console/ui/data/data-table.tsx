import type { ReactNode } from 'react';
import classes from './data-table.module.css';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers stand below each other. */
  readonly number?: boolean;
  /** Narrower pages do without it: below 48 or 72 rem. */
  readonly from?: 'md' | 'lg';
  /** CSS width; the rest is shared out. */
  readonly width?: string;
}

interface Props<Row> {
  /** Name of the table's rows, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** In place of the rows, where there are none. */
  readonly empty: ReactNode;
}

/** Rows and columns. A row's first cell names it. */
export function DataTable<Row>({ label, columns, rows, keyOf, empty }: Props<Row>) {
  if (rows.length === 0) return empty;
  return (
    <div className={classes['scroll']}>
      <table className={classes['table']} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ title, number, from, width }) => (
              <th key={title} scope="col" data-number={number} data-from={from} style={width ? { width } : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, cell, number, from }) => (
                <td key={title} data-number={number} data-from={from}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
