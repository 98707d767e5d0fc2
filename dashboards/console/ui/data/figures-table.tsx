import { type Column, DataTable } from './data-table.tsx';
import classes from './figures-table.module.css';

interface Props<Row> {
  /** Name of the table's figures. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

/** The figures that a chart draws, for those who would rather read them. */
export function FiguresTable<Row>({ label, columns, rows, keyOf }: Props<Row>) {
  return (
    <details className={classes['figures']}>
      <summary>Figures as a table ({rows.length} rows)</summary>
      <div className={classes['scroll']} role="region" aria-label={label} tabIndex={0}>
        <DataTable label={label} columns={columns} rows={rows} keyOf={keyOf} empty={<p>There are none.</p>} />
      </div>
    </details>
  );
}
