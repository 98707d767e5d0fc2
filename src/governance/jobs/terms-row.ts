import { type CommonQueryMethods, sql } from 'slonik';
import Type, { type Static } from 'typebox';
import { type Job, Job as JobSchema, jobColumns } from '#src/jobs/model/job.ts';
import type { Terms } from '#src/jobs/submit/terms.ts';
import { row } from '#src/system/postgres/postgres.ts';

const UnderTerms = Type.Interface([JobSchema], { terms: Type.Unsafe<Terms | null>({}) });
const underTermsRow = row(UnderTerms);

/** A job with the terms that it runs under. */
export type UnderTerms = Job & Pick<Static<typeof UnderTerms>, 'terms'>;

/** Reads jobs with their terms, in order of their ids. Locked, where wanted, until the transaction of `db` ends. */
export async function readAllUnderTerms(
  { db }: { readonly db: CommonQueryMethods },
  ids: readonly string[],
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<readonly UnderTerms[]> {
  return await db.any(sql.type(underTermsRow)`
    select ${jobColumns}, j.terms from jobs j where j.id = any(${sql.array([...ids], 'uuid')}) order by j.id
    ${lock ? sql.fragment`for update` : sql.fragment``}`);
}

/** Reads one job with its terms; null for none. */
export async function readUnderTerms(
  context: { readonly db: CommonQueryMethods },
  id: string,
): Promise<UnderTerms | null> {
  return (await readAllUnderTerms(context, [id]))[0] ?? null;
}
