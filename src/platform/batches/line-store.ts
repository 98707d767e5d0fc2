import { type CommonQueryMethods, sql } from 'slonik';
import { type Static, Type } from 'typebox';
import { plainArray, textArray } from '#src/lib/array-literal.ts';
import { AppError } from '#src/lib/errors.ts';
import { batched } from '#src/system/batched.ts';
import { perContext } from '#src/system/per-context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { openStatements, type Statement } from '#src/system/statements.ts';

type Tx = { readonly db: CommonQueryMethods };
const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

const Row = Type.Object({
  line: Type.Integer(),
  customId: nullable(Type.String()),
  job: nullable(Type.String()),
  /** Null where it succeeded. */
  code: nullable(Type.String()),
  message: nullable(Type.String()),
  answered: Type.Boolean(),
});
/** A line that is over. */
export type EndedLine = Static<typeof Row>;

const lineRow = row(Row);
const columns = sql.fragment`line, custom_id as "customId", job, code, message, answered`;

interface Recorded extends EndedLine {
  readonly batch: string;
}

const recordLines: Statement = {
  name: 'record-batch-lines',
  text: `
    with made as (
      insert into batch_lines (batch, line, custom_id, job, code, message, answered)
      select * from unnest($1::uuid[], $2::int4[], $3::text[], $4::uuid[], $5::text[], $6::text[], $7::bool[])
        as g (batch, line, custom_id, job, code, message, answered)
      order by batch, line
      on conflict do nothing returning batch, code
    ), sums as materialized (
      select batch, count(*) filter (where code is null) as good, count(*) filter (where code is not null) as bad
      from made group by batch order by batch
    )
    update batches b set completed = b.completed + s.good, failed = b.failed + s.bad from sums s where b.id = s.batch`,
};

/** Records that a line is over, and counts it: the first to say so is right. Those of one moment are recorded together. */
export const recordLine = perContext((context) =>
  batched<Recorded, void>(context, {
    patienceMs: context.config.LEASE_MS,
    // each batch is one row, which two statements would wait for
    width: 1,
    refuse: ({ batch, line }, cause) =>
      new AppError('invalid_result', 'The end of a line of a batch cannot be stored.', { batch, line }, cause),
    run: async (lines) => {
      await openStatements(context)(recordLines, [
        plainArray(lines.map(({ batch }) => batch)),
        plainArray(lines.map(({ line }) => line)),
        textArray(lines.map(({ customId }) => customId)),
        plainArray(lines.map(({ job }) => job)),
        textArray(lines.map(({ code }) => code)),
        textArray(lines.map(({ message }) => message)),
        plainArray(lines.map(({ answered }) => answered)),
      ]);
      return lines.map(() => undefined);
    },
  }),
);

/** A line whose job succeeded and whose result cannot be shown any more has failed after all. */
export async function failLine({ db }: Tx, batch: string, line: number, code: string, message: string): Promise<void> {
  await db.query(sql.unsafe`
    with made as (
      update batch_lines set code = ${code}, message = ${message}, answered = true
      where batch = ${batch} and line = ${line} and code is null returning line
    )
    update batches set completed = completed - 1, failed = failed + 1 from made where id = ${batch}`);
}

const Numbers = row(Type.Object({ line: Type.Integer() }));

/** Numbers of the lines that are over. */
export async function endedNumbers({ db }: Tx, batch: string): Promise<ReadonlySet<number>> {
  return new Set(await db.anyFirst(sql.type(Numbers)`select line from batch_lines where batch = ${batch}`));
}

const PAGE = 200;

/**
 * Yields the lines of a batch that succeeded, or the ones that failed, in the order of the file; a few at a time are in
 * memory.
 */
export async function* endedLines(
  { db }: Tx,
  batch: string,
  isGood: boolean,
): AsyncGenerator<EndedLine, void, undefined> {
  for (let after = 0, more = true; more; ) {
    const page = await db.any(sql.type(lineRow)`
      select ${columns} from batch_lines where batch = ${batch} and line > ${after} and (code is null) = ${isGood}
      order by line limit ${PAGE}`);
    yield* page;
    more = page.length === PAGE;
    after = page.at(-1)?.line ?? after;
  }
}

const Some = row(Type.Object({ exists: Type.Boolean() }));

/** Checks whether a line of the batch ended with this code. */
export async function hasEndedWith({ db }: Tx, batch: string, code: string): Promise<boolean> {
  return await db.oneFirst(
    sql.type(Some)`select exists (select from batch_lines where batch = ${batch} and code = ${code})`,
  );
}
