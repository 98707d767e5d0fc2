import Type from 'typebox';
import { defineQueue } from './define.ts';

const strict = { additionalProperties: false };
const Id = Type.String({ format: 'uuid' });

/** Renders one approved plan; progress per shot. */
export const render = defineQueue({
  name: 'studio.render',
  title: 'Render the assets of an approved plan',
  payload: Type.Object({ projectId: Id, renderId: Id }, strict),
  result: Type.Object({ renderId: Id, artefacts: Type.Array(Type.String()) }, strict),
  progress: Type.Object({ shot: Type.Integer(), of: Type.Integer(), stage: Type.String() }, strict),
  timeoutMs: 30 * 60_000,
});

/** Publishes one package to one channel; an outside effect, so never without its approval. */
export const publish = defineQueue({
  name: 'studio.publish',
  title: 'Publish a package to a channel',
  payload: Type.Object({ projectId: Id, packageId: Id, channel: Type.String() }, strict),
  result: Type.Object({ packageId: Id, externalId: Type.Union([Type.String(), Type.Null()]) }, strict),
  progress: Type.Object({ stage: Type.String() }, strict),
  attempts: 5,
  timeoutMs: 5 * 60_000,
});
