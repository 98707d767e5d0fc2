import { Type } from 'typebox';
import { type ErrorCode, errorCodes } from './error-codes.ts';

/** The code of an error in an answer. */
export const ErrorCodeName = (description: string) =>
  Type.Enum(Object.keys(errorCodes) as ErrorCode[], { title: 'ErrorCode', type: 'string', description });
