import { listMissions } from '#src/governance/missions/mission-store.ts';
import { callerOf } from '#src/mcp/model/caller.ts';
import type { McpResource } from '#src/mcp/model/resource.ts';
import { readReceipt } from '#src/receipts/receipt-store.ts';
import { receiptUri } from './receipt-link.ts';

const mimeType = 'application/json';
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Number of the caller's own receipts that are listed, newest first; the others can be read all the same. */
const LISTED = 100;

const uri = receiptUri('{id}');
const about = { title: 'Receipt', description: 'The sealed, anchored receipt of a mission; public' };

/** Receipts by their ids. Every caller who knows an id may read it; listed are the caller's own. */
export const receiptResource: McpResource = {
  uri,
  ...about,
  register: (server, { context }, { ResourceNotFoundError, ResourceTemplate }) => {
    const template = new ResourceTemplate(uri, {
      list: async (call) => {
        const { principal } = callerOf(call);
        if (!principal.scopes.includes('platform.mcp.read')) return { resources: [] };
        const missions = await listMissions(context, { owner: principal.owner, before: null, limit: LISTED });
        const sealed = missions.filter(({ sealedAt }) => sealedAt !== null).slice(0, LISTED);
        return { resources: sealed.map(({ id }) => ({ uri: receiptUri(id), name: `receipt ${id}`, mimeType })) };
      },
    });
    server.registerResource('receipt', template, { ...about, mimeType }, async ({ href }, { id }) => {
      const receipt = typeof id === 'string' && uuid.test(id) ? await readReceipt(context, id.toLowerCase()) : null;
      if (!receipt)
        throw new ResourceNotFoundError(
          href,
          `expected the id of a mission or job that was sealed, got ${String(id)}.`,
        );
      return { contents: [{ uri: href, mimeType, text: JSON.stringify(receipt) }] };
    });
  },
};
