import { sql } from 'slonik';
import type { analyzeWindows, Mode } from '#src/studio/domain/words.ts';

/** Scope of an analysis: the owner, how far back it reaches, and the mode of brief. */
export interface AnalysisQuery {
  readonly owner: string;
  readonly hours: number;
  /** null: of every mode. */
  readonly mode: Mode | null;
}

export const windowHours: Readonly<Record<(typeof analyzeWindows)[number], number>> = {
  '24h': 24,
  '7d': 7 * 24,
  '30d': 30 * 24,
  '90d': 90 * 24,
};

export function since({ hours }: AnalysisQuery) {
  return sql.fragment`now() - ${hours} * interval '1 hour'`;
}

/** Builds the condition that a plan (a table called `p`) is of the requested mode. */
export function ofMode({ mode }: AnalysisQuery) {
  return mode === null ? sql.fragment`true` : sql.fragment`p.plan ->> 'mode' = ${mode}`;
}

/** An owner's calls of providers in the window, as `c`, with the plan that they were for, as `p`. */
export function callsInWindow(query: AnalysisQuery) {
  return sql.fragment`provider_calls c
    left join jobs j on j.id = c.job
    left join studio_jobs s on s.id = coalesce(j.parent_id, c.job)
    left join studio_plans p on p.id = s.plan
    where c.owner = ${query.owner} and c.created_at > ${since(query)} and ${ofMode(query)}`;
}

/** An owner's renders and publications of the window: jobs as `j`, with their plan as `p`. */
export function jobsInWindow(query: AnalysisQuery) {
  return sql.fragment`studio_jobs s
    join jobs j on j.id = s.id
    left join studio_plans p on p.id = s.plan
    where s.owner = ${query.owner} and s.kind <> 'call' and j.created_at > ${since(query)} and ${ofMode(query)}`;
}
