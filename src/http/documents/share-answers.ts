import { type Json, nameIn, type OpenApiDocument, operationsOf } from './document.ts';

/**
 * Moves the answers that are the same at most operations, that of work which goes on and those of what went wrong, to
 * the components: they would be a third of the document.
 */
export function shareAnswers(document: OpenApiDocument): void {
  const components = document.components?.['responses'];
  if (!components) return;
  for (const { responses = {} } of operationsOf(document))
    for (const [status, answer] of Object.entries(responses)) {
      const [media] = Object.values(answer.content ?? {});
      const name = status !== '200' && media ? nameIn(media.schema) : undefined;
      if (name === undefined) continue;
      const shared = `${name}${status}`;
      components[shared] ??= answer as Json;
      if (JSON.stringify(components[shared]) === JSON.stringify(answer))
        responses[status] = { $ref: `#/components/responses/${shared}` };
    }
}
