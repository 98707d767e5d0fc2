import { Type } from 'typebox';

/**
 * Keyword of a schema of text that is looked up: the values there are. The OpenAPI document says them as `enum`; a value
 * that is none of them is not found (404), where one outside an `enum` of ours would be a bad request (400).
 */
export const knownValues = 'x-known-values';

/**
 * One of few texts, in what is stored or passed between releases: the document says which, and one that another release
 * wrote is taken all the same.
 *
 * @param title the name that generated types have
 */
export const KnownText = (title: string, values: readonly string[], description: string) =>
  Type.String({ title, description, [knownValues]: values });
