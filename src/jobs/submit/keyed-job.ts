import { type FragmentSqlToken, sql } from 'slonik';

/** The job that a request under an idempotency key made: the values of its owner and key, and of its hash where it counts. */
export interface Keyed {
  readonly owner: FragmentSqlToken;
  readonly key: FragmentSqlToken;
  /** Hexadecimal; without it any request under the key is meant. */
  readonly hash?: FragmentSqlToken;
}

/** Selects the id of the job that has such a key, or had it before it was replaced; a column `id`, at most one row. */
export function keyedJob({ owner, key, hash }: Keyed): FragmentSqlToken {
  const isSame = hash ? sql.fragment`and request_hash = decode(${hash}, 'hex')` : sql.fragment``;
  return sql.fragment`
    select id from jobs where owner = ${owner} and idempotency_key = ${key} ${isSame}
    union all
    select job from former_keys f where f.owner = ${owner} and f.key = ${key} ${isSame}
    limit 1`;
}
