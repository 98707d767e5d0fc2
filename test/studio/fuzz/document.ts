import type { Schema } from '#test/helpers/documents/json-schema.ts';

interface Content {
  readonly schema?: Schema;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

/** An operation as an OpenAPI document describes it. */
export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, Content>>; readonly headers?: object }>
  >;
  /** Empty for what is open to everybody; the document's own where there is none. */
  readonly security?: readonly object[];
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly headers?: Readonly<Record<string, object>> };
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With its parameters in braces. */
  readonly path: string;
  readonly operation: Operation;
  /** Of its JSON body; null where it takes none. */
  readonly body: Schema | null;
}

/** Every operation of a document. */
export function routesOf({ paths }: Document): Route[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase() as Route['method'],
      path,
      operation,
      body: operation.requestBody?.content['application/json']?.schema ?? null,
    })),
  );
}
