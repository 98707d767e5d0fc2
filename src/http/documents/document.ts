import type { FastifyInstance } from 'fastify';

/** JSON as the OpenAPI document is made of. */
export type Json = Record<string, unknown>;

export interface Parameter extends Json {
  readonly name?: string;
  readonly in?: string;
  readonly schema?: Json;
}

export interface Media {
  schema?: Json;
}

export interface Answer extends Json {
  headers?: Json;
  content?: Record<string, Media>;
}

export interface Operation extends Json {
  readonly operationId?: string;
  readonly parameters?: Parameter[];
  readonly requestBody?: { content?: Record<string, Media> };
  readonly security?: readonly Json[];
  readonly tags?: readonly string[];
  responses?: Record<string, Answer>;
}

/** An OpenAPI document as far as it is read and shaped here. */
export interface OpenApiDocument {
  readonly paths?: Record<string, Record<string, Operation>>;
  readonly components?: Record<string, Record<string, Json>>;
  readonly tags?: readonly { readonly name: string }[];
}

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Gives the whole document; written by the first call, kept for all others. Its own type names all of OpenAPI, versions
 * 2 and 3.
 */
export const documentOf = (app: FastifyInstance): OpenApiDocument => app.swagger() as unknown as OpenApiDocument;

/** Every operation of a document. */
export const operationsOf = (document: OpenApiDocument): Operation[] =>
  Object.values(document.paths ?? {}).flatMap((path) => Object.values(path));

const schemas = '#/components/schemas/';

/** A reference to a named schema. */
export const refTo = (name: string): Json => ({ $ref: `${schemas}${name}` });

/** The name that a schema refers to; undefined where it refers to none. */
export const nameIn = (schema: Readonly<Json> | undefined): string | undefined => {
  const ref = schema?.['$ref'];
  return typeof ref === 'string' && ref.startsWith(schemas) ? ref.slice(schemas.length) : undefined;
};
