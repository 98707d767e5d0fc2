import type { Link } from '#src/mcp/model/tool.ts';

/** The address of a receipt as a resource. */
export function receiptUri(id: string): string {
  return `receipt://${id}`;
}

export function linkOf(id: string): Link {
  return {
    uri: receiptUri(id),
    name: `receipt ${id}`,
    description: 'The sealed receipt of the mission; anybody can verify it',
  };
}
