import type { OpenApiDocument } from './document.ts';

/** A document of the paths that `takes` takes, with the components and tags that they use and no others. */
export function partOf(document: OpenApiDocument, takes: (path: string) => boolean) {
  const paths = Object.fromEntries(Object.entries(document.paths ?? {}).filter(([path]) => takes(path)));
  const used = new Set<string>();
  collect(paths, document, used);
  const tags = new Set(
    Object.values(paths).flatMap((path) => Object.values(path).flatMap(({ tags: names = [] }) => names)),
  );
  const { securitySchemes, ...kinds } = document.components ?? {};
  const components = Object.entries(kinds).map(([kind, entries]) => [
    kind,
    Object.fromEntries(Object.entries(entries).filter(([name]) => used.has(`#/components/${kind}/${name}`))),
  ]);
  return {
    ...document,
    paths,
    tags: document.tags?.filter(({ name }) => tags.has(name)),
    components: { ...Object.fromEntries(components), ...(securitySchemes && { securitySchemes }) },
  };
}

/** Every `$ref` within a value, and within what it refers to. */
function collect(value: unknown, document: OpenApiDocument, used: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name !== '$ref' || typeof inner !== 'string') {
      collect(inner, document, used);
      continue;
    }
    if (used.has(inner)) continue;
    used.add(inner);
    const [, , kind = '', entry = ''] = inner.split('/');
    collect(document.components?.[kind]?.[entry], document, used);
  }
}
