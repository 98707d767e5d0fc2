/** What ids that clients of OpenAI's kind see begin with. */
const prefixes = { file: 'file-', batch: 'batch_' } as const;
type Kind = keyof typeof prefixes;

/** A UUID as such clients see it: `file-0123…`, without dashes. */
export function publicId(kind: Kind, uuid: string): string {
  return prefixes[kind] + uuid.replaceAll('-', '');
}

/** The UUID behind such an id; null for what is none of this kind. */
export function uuidOf(kind: Kind, id: string): string | null {
  const hex = id.startsWith(prefixes[kind]) ? id.slice(prefixes[kind].length) : '';
  const parts = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(hex);
  return parts === null ? null : parts.slice(1).join('-');
}
