import { type Static, Type } from 'typebox';
import { OptionalText } from '#src/lib/validation/schema-parts.ts';
import { states } from './states.ts';

/** Place of a child with its parent, as callers see it. */
export const childPlace = {
  node: OptionalText('Node of the flow that it is a job of; null where its parent is no flow'),
  item: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description:
      'Its place among the jobs of the node, from 0: in a fan-out that of its item. Null where its parent is no flow, or once the flow was redriven and another job has the place',
  }),
  step: OptionalText('Name that its parent, a job with steps, submitted it by; null for none'),
};

/** The job that submitted another one, and its place there. */
export const JobParent = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Parent job: a flow, or a job that submitted it' }),
    queue: OptionalText('Queue of the parent, `flows.run` for a flow; null once the parent is forgotten'),
    state: Type.Union([Type.Enum([...states], { type: 'string' }), Type.Null()], {
      description: 'State of the parent; null once it is forgotten',
    }),
    name: OptionalText('Name of the flow; null for none'),
    ...childPlace,
    jobs: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Number of jobs of its node; null where its parent is no flow',
    }),
  },
  { title: 'JobParent', description: 'Parent of the job, and which of its children it is' },
);
export type JobParent = Static<typeof JobParent>;
