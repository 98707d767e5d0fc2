/**
 * Keyword of a schema of text that is looked up: the values there are. The OpenAPI document says them as `enum`; a value
 * that is none of them is not found (404), where one outside an `enum` of ours would be a bad request (400).
 */
export const knownValues = 'x-known-values';
