import type { Static, TSchema } from 'typebox';
import { assertStorable } from '#src/lib/assert-storable.ts';
import { type McpCaller, type Tool, tool } from '#src/mcp/model/tool.ts';
import { analyze } from '#src/studio/discovery/analyze-tool.ts';
import { explore } from '#src/studio/discovery/explore.ts';
import { toolTable } from '#src/studio/domain/tool-table.ts';
import { Envelope, envelopeOf, type Outcome, type StudioTool } from '#src/studio/edge/envelope.ts';
import {
  AnalyzeInput,
  BriefInput,
  ExploreInput,
  OperateInput,
  PlanInput,
  PublishInput,
  RenderInput,
} from '#src/studio/edge/inputs.ts';
import { publishAssets } from '#src/studio/live/publish.ts';
import { renderPlan } from '#src/studio/live/render.ts';
import { operate } from '#src/studio/operate/operate-tool.ts';
import { createBrief } from '#src/studio/plan/create-brief.ts';
import { createPlan } from '#src/studio/plan/make-plan.ts';
import type { Context } from '#src/system/context.ts';

interface Words {
  readonly title: string;
  readonly description: string;
  /** True where it may start what cannot be taken back. */
  readonly destructive?: boolean;
  readonly openWorld?: boolean;
}

/** A tool of the studio by its row in the manifest: the same input as its route, and the envelope as its answer. */
function studioTool<Input extends TSchema>(
  name: StudioTool,
  { title, description, destructive = false, openWorld = false }: Words,
  input: Input,
  run: (context: Context, caller: McpCaller, input: Static<Input>) => Promise<Outcome>,
): Tool {
  const row = toolTable.find((one) => one.name === name);
  if (!row) throw new Error(`${name} is not in the table of the studio’s tools`);
  return tool({
    name,
    title,
    description,
    surface: 'studio',
    scope: row.scope,
    input,
    output: Envelope,
    hints: {
      readOnlyHint: !row.writesState,
      openWorldHint: openWorld,
      ...(row.writesState && { destructiveHint: destructive, idempotentHint: false }),
    },
    run: async ({ context }, { input: toolInput, ...caller }) => {
      assertStorable(toolInput);
      const outcome = await run(context, caller, toolInput);
      return { output: envelopeOf(name, outcome) };
    },
  });
}

/** The seven tools of the studio, each over the function that its route uses. */
export const studioTools: readonly Tool[] = [
  studioTool(
    'studio_explore',
    {
      title: 'Explore the studio',
      description:
        'Browse providers, workflows, assets, jobs, plans, approvals, metrics or the API; with words (`query`) and a capability that results must have. Read this before planning.',
    },
    ExploreInput,
    async (context, { principal }, input) => await explore(context, principal, input),
  ),
  studioTool(
    'studio_brief',
    {
      title: 'Record a brief',
      description:
        'Keeps a structured creative brief. Nothing is made and no provider is called: plan it next with studio_plan.',
    },
    BriefInput,
    async (context, { principal }, input) => await createBrief(context, principal.owner, input),
  ),
  studioTool(
    'studio_plan',
    {
      title: 'Plan a brief',
      description:
        'Chooses and costs providers for a brief (briefId, or prompt and mode), and makes the approval that rendering needs. Nothing runs. Next: studio_render with dryRun true.',
    },
    PlanInput,
    async (context, { principal }, input) => await createPlan(context, principal, input),
  ),
  studioTool(
    'studio_render',
    {
      title: 'Render a plan',
      description:
        'dryRun true shows exactly what would happen and asks for its approval. dryRun false with the approvalRef of a granted approval queues the job; without one the job waits. Only a signed-in person grants approvals, outside this protocol: show them output.approval.',
      destructive: true,
      openWorld: true,
    },
    RenderInput,
    async (context, { principal }, input) => await renderPlan(context, principal, input),
  ),
  studioTool(
    'studio_publish',
    {
      title: 'Publish assets',
      description:
        'Prepares an export package for each channel. Nothing is posted outside unless the channel has an address and a person has approved exactly this. Begin with dryRun true.',
      destructive: true,
      openWorld: true,
    },
    PublishInput,
    async (context, { principal }, input) => await publishAssets(context, principal, input),
  ),
  studioTool(
    'studio_analyze',
    {
      title: 'Analyze the studio',
      description:
        'Figures of your own work, from what is recorded: providers, jobs, approvals, spend, publishing readiness or assets, over 24 hours to 90 days.',
    },
    AnalyzeInput,
    async (context, { principal }, input) => await analyze(context, principal, input),
  ),
  studioTool(
    'studio_operate',
    {
      title: 'Operate the studio',
      description:
        'Bounded actions: inspect_lineage (what came of a brief, plan, job or asset), cancel_job, rerun_plan (a new plan and a dry run, never an execution), request_provider_setup (what a provider lacks), verify_governance (whether recorded work kept the rules).',
      destructive: true,
    },
    OperateInput,
    async (context, { principal }, input) => await operate(context, principal, input),
  ),
];
