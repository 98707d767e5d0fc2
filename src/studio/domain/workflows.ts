import { readFormats } from './formats.ts';
import { shapeSteps } from './shape-steps.ts';
import { type Mode, modes } from './words.ts';

export interface WorkflowStep {
  readonly step: string;
  readonly title: string;
  /** Method and path. */
  readonly route: string;
  readonly tool: string | null;
  /** True where a person decides before it goes on. */
  readonly gated: boolean;
}

export interface Workflow {
  readonly id: string;
  readonly mode: Mode;
  readonly title: string;
  readonly steps: readonly WorkflowStep[];
  /** Calls of providers that a render of a usual brief makes, each after the ones that feed it. */
  readonly calls: readonly { readonly step: string; readonly capability: string; readonly after: readonly string[] }[];
}

const path = (name: string) => `/api/studio/v1/${name}`;

/** Steps of every mode; the calls in between differ. */
const steps: readonly WorkflowStep[] = [
  { step: 'brief', title: 'Record what is wanted', route: `POST ${path('brief')}`, tool: 'studio_brief', gated: false },
  {
    step: 'plan',
    title: 'Choose and cost providers',
    route: `POST ${path('plan')}`,
    tool: 'studio_plan',
    gated: false,
  },
  {
    step: 'dry-run',
    title: 'See exactly what would happen (dryRun true)',
    route: `POST ${path('render')}`,
    tool: 'studio_render',
    gated: false,
  },
  {
    step: 'approve-render',
    title: 'A signed-in person decides',
    route: `POST ${path('approvals/{id}/decision')}`,
    tool: null,
    gated: true,
  },
  {
    step: 'render',
    title: 'Providers make it (dryRun false, with approvalRef); a receipt is sealed',
    route: `POST ${path('render')}`,
    tool: 'studio_render',
    gated: true,
  },
  {
    step: 'publish-dry-run',
    title: 'See what each channel would get (dryRun true)',
    route: `POST ${path('publish')}`,
    tool: 'studio_publish',
    gated: false,
  },
  {
    step: 'approve-publish',
    title: 'A signed-in, verified person decides',
    route: `POST ${path('approvals/{id}/decision')}`,
    tool: null,
    gated: true,
  },
  {
    step: 'package',
    title: 'One package a channel; delivered where its address is set (dryRun false, with approvalRef)',
    route: `POST ${path('publish')}`,
    tool: 'studio_publish',
    gated: true,
  },
];

const titles: Readonly<Record<Mode, string>> = {
  video: 'Film with narration and music',
  avatar: 'Speaking avatar',
  persona: 'Persona with a face and a voice',
  voice: 'Narration',
  campaign: 'One film for each format, each with its picture',
  publish: 'Short film to publish at once',
};

/** From brief to package, for each mode, by the very recipes that plans are made of. */
export const workflows: readonly Workflow[] = modes.map((mode) => ({
  id: `${mode}-brief-to-package`,
  mode,
  title: titles[mode],
  steps,
  calls: shapeSteps({ mode, prompt: '', title: null }, readFormats([], [], null, mode)).map(
    ({ step, capability, after }) => ({
      step,
      capability,
      after,
    }),
  ),
}));

/** Modes whose plans use a capability. */
export function modesUsing(capability: string): Mode[] {
  return workflows.filter(({ calls }) => calls.some((call) => call.capability === capability)).map(({ mode }) => mode);
}
