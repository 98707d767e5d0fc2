import type { FastifyInstance } from 'fastify';
import { AppError } from '#src/lib/errors.ts';
import { shown } from '#src/lib/validation/describe-validation.ts';

interface QuerySchema {
  readonly properties?: Readonly<Record<string, { readonly type?: unknown }>>;
}

/**
 * Makes queries as strict as bodies: a parameter that the route does not know is refused, since who misspells a filter
 * would otherwise get everything. A list may come with commas, as repeated parameters, or both. Probes take anything.
 */
export function readQueries(app: FastifyInstance): void {
  app.addHook('preValidation', async (request) => {
    const { schema, config } = request.routeOptions;
    if (request.is404 || config.unlimited || config.anyQuery) return;
    const { properties = {} } = (schema?.querystring ?? {}) as QuerySchema;
    const query = request.query as Record<string, unknown>;
    for (const [name, value] of Object.entries(query)) {
      if (!Object.hasOwn(properties, name)) throw unknownParameter(name, Object.keys(properties));
      if (properties[name]?.type === 'array') query[name] = [value].flat().flatMap((text) => String(text).split(','));
    }
  });
}

function unknownParameter(name: string, known: readonly string[]): AppError {
  const expected = known.length > 0 ? `one of ${known.join(', ')}` : 'no parameters';
  return new AppError('invalid_request', `query: expected ${expected}, got ${shown(name.slice(0, 100))}.`, {
    field: `query.${name.slice(0, 100)}`,
    // what follows it may be a key
    value: null,
  });
}
