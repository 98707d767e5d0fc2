import type { Principal } from '#src/lib/principal.ts';
import { analyzeApprovals } from '#src/studio/analyze/approvals.ts';
import { analyzeAssets } from '#src/studio/analyze/assets.ts';
import { analyzeJobs } from '#src/studio/analyze/jobs.ts';
import { analyzeProviders } from '#src/studio/analyze/providers.ts';
import { analyzePublishing } from '#src/studio/analyze/publishing.ts';
import { analyzeSpend } from '#src/studio/analyze/spend.ts';
import { type AnalysisQuery, windowHours } from '#src/studio/analyze/window.ts';
import type { Outcome } from '#src/studio/edge/envelope.ts';
import type { AnalyzeInput } from '#src/studio/edge/inputs.ts';
import type { Context } from '#src/system/context.ts';

interface Analysis {
  readonly figures: Readonly<Record<string, unknown>>;
  /** Conclusions worth knowing, in sentences. */
  readonly findings: readonly string[];
}

const analyses: Readonly<Record<AnalyzeInput['scope'], (context: Context, query: AnalysisQuery) => Promise<Analysis>>> =
  {
    providers: analyzeProviders,
    jobs: analyzeJobs,
    approvals: analyzeApprovals,
    spend: analyzeSpend,
    publishing: analyzePublishing,
    assets: analyzeAssets,
  };

/** Resources of the tool that the figures are about, beside what is recorded as a whole. */
const about: Readonly<Record<AnalyzeInput['scope'], readonly string[]>> = {
  providers: ['studio://providers/catalog'],
  jobs: ['studio://jobs/index'],
  approvals: ['studio://approvals/index'],
  spend: ['studio://jobs/index', 'studio://providers/catalog'],
  publishing: ['studio://jobs/index', 'studio://approvals/index'],
  assets: ['studio://jobs/index'],
};

/** The tool `studio_analyze`: figures of the caller's own work, from what is recorded. */
export async function analyze(
  context: Context,
  { owner }: Pick<Principal, 'owner'>,
  { scope, window = '7d', mode }: AnalyzeInput,
): Promise<Outcome> {
  const hours = windowHours[window];
  const until = new Date();
  const { figures, findings } = await analyses[scope](context, { owner, hours, mode: mode ?? null });
  return {
    output: {
      scope,
      window,
      ...(mode !== undefined && { mode }),
      since: new Date(until.getTime() - hours * 3_600_000).toISOString(),
      until: until.toISOString(),
      figures,
      findings,
    },
    resources: ['studio://observability/current', ...about[scope]],
  };
}
