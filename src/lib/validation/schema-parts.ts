import Type from 'typebox';

/** An instant in ISO 8601. */
export const Time = (description: string) => Type.String({ format: 'date-time', description });

/** An instant in ISO 8601, or null. */
export const OptionalTime = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });

/** Text, or null. */
export const OptionalText = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

/** A whole number from 0. */
export const Count = (description: string) => Type.Integer({ minimum: 0, description });
