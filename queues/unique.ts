import Type, { type Static } from 'typebox';

const strict = { additionalProperties: false };

export const uniqueWhiles = ['queued', 'unfinished', 'forever'] as const;
export const uniqueConflicts = ['return', 'replace', 'refuse'] as const;

const rule = {
  while: Type.Enum([...uniqueWhiles], {
    type: 'string',
    description:
      'How long the job holds its key: until it begins, until it has ended, or for as long as the job is kept',
  }),
  conflict: Type.Enum([...uniqueConflicts], {
    type: 'string',
    description:
      'Where a job holds the key: `return` answers that job, `replace` gives it this payload and these times unless it has begun, `refuse` answers 409 with its id',
  }),
};

/** Key that one job of an owner and queue holds at a time. */
export const Unique = Type.Object(
  {
    key: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Any text: one job of the queue holds it at a time',
    }),
    ...rule,
  },
  { title: 'Unique', ...strict, description: 'Makes the job the only one of its key among your jobs of the queue' },
);
export type Unique = Static<typeof Unique>;

/** The same as a contract has it: the key is made of the payload of each job. */
export const UniqueTerms = Type.Object(
  {
    key: Type.Array(Type.String({ maxLength: 500, pattern: '^(/.*)?$' }), {
      minItems: 1,
      maxItems: 20,
      description: 'JSON pointers (RFC 6901) into the payload: jobs with equal values there have the same key',
    }),
    ...rule,
  },
  { title: 'UniqueTerms', ...strict, description: 'Makes each job of the queue the only one of its key' },
);
export type UniqueTerms = Static<typeof UniqueTerms>;
