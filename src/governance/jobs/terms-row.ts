import { type CommonQueryMethods, sql } from 'slonik';
import Type, { type Static } from 'typebox';
import { type Job, Job as JobSchema, jobColumns } from '#src/jobs/model/job.ts';
import type { Terms } from '#src/jobs/submit/terms.ts';
import { row } from '#src/system/postgres/postgres.ts';

const UnderTerms = Type.Interface([JobSchema], { terms: Type.Unsafe<Terms | null>({}) });
const underTermsRow = row(UnderTerms);

/** A job with the terms that it runs under. */
export type UnderTerms = Job & Pick<Static<typeof UnderTerms>, 'terms'>;

/** Reads a job with its terms; null for none. Locked, where wanted, until the transaction of `db` ends. */
export async function readUnderTerms(
  { db }: { readonly db: CommonQueryMethods },
  id: string,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<UnderTerms | null> {
  return await db.maybeOne(sql.type(underTermsRow)`
    select ${jobColumns}, j.terms from jobs j where j.id = ${id}
    ${lock ? sql.fragment`for update` : sql.fragment``}`);
}
