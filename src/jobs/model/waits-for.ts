import { type Static, Type } from 'typebox';

/** The thing that a waiting job waits for, as its owner sees it. */
export const WaitsFor = Type.Object(
  {
    kind: Type.Enum(['sleep', 'signal', 'result', 'jobs', 'flow'], {
      type: 'string',
      description: 'A time; a signal; the end of a child, of the jobs it depends on, or of its flow',
    }),
    name: Type.String({ description: 'Name of the wait: of a signal that of the signal' }),
    child: Type.Optional(Type.String({ format: 'uuid', description: 'The child that it waits for' })),
    until: Type.Optional(
      Type.String({ format: 'date-time', description: 'When the wait is over whatever comes; never without it' }),
    ),
  },
  { title: 'WaitsFor', description: 'What the job waits for, while its state is `waiting`' },
);
export type WaitsFor = Static<typeof WaitsFor>;
