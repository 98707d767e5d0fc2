import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { ProposedStep, StepId } from '#src/governance/missions/plan.ts';
import { MOST_STEPS } from '#src/missions/domain/check-plan.ts';
import { type Capability, catalogue } from './catalogue.ts';

const strict = { additionalProperties: false };
const { title, dependsOn } = ProposedStep.properties;

const unmapped = Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
  maxItems: 50,
  description: 'Parts of the goal that no capability does, in its own words',
});

/** Shape that a call of the tool must have for its steps to be looked at; the validator of every plan says the rest. */
export const PlanCall = Compile(Type.Object({ steps: Type.Array(ProposedStep), unmapped }, strict));

const Reference = Type.Object(
  {
    $from: StepId,
    path: Type.Optional(Type.String({ description: 'Members of its output joined by dots; all of it without one' })),
  },
  { ...strict, description: 'Stands for what another step of this plan gives' },
);

/** The one tool that a model plans with: its schema is the catalogue. */
export const planTool = {
  name: 'propose_plan',
  description: 'Proposes the steps of the mission. Steps run side by side unless one depends on another.',
  parameters: Type.Object(
    {
      steps: Type.Array(Type.Union(catalogue.map(stepOf)), {
        maxItems: MOST_STEPS,
        description: 'None where no capability does anything of the goal',
      }),
      unmapped,
    },
    strict,
  ),
};

function stepOf({ name, title: does, input }: Capability) {
  const properties = Object.entries((input as Type.TObject).properties).map(([key, schema]) => [
    key,
    { anyOf: [schema, Reference] },
  ]);
  return Type.Object(
    {
      id: StepId,
      capability: Type.Literal(name, { description: does }),
      title,
      input: { ...input, properties: Object.fromEntries(properties) },
      dependsOn,
    },
    strict,
  );
}
