import Type, { type Static } from 'typebox';

/** Versions of a queue that a worker takes. */
export const Takes = Type.Object({ name: Type.String(), versions: Type.Array(Type.Integer()) });
export type Takes = Static<typeof Takes>;
