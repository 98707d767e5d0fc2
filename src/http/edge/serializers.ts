import { type SerializerFactory, SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import { whenUsed } from '#src/lib/async/when-used.ts';

const factory = SerializerSelector();

/**
 * Fastify's serializer factory, with each answer's writer compiled by the first answer that needs it: all of them together
 * took a second of each start.
 */
export const buildSerializers: SerializerFactory = (shared, options) => (route) => {
  // one compiler each: it strikes what has the schema's own id from its list, and forgets to put it back
  const write = whenUsed(() => factory(shared, options)(route));
  return (value) => write()(value);
};
