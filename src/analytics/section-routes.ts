import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { acceptedResponse, WaitHeaders } from '#src/http/answer-with-job.ts';
import type { Hub } from '#src/http/hub.ts';
import type { Context } from '#src/system/context.ts';
import { orNull } from './domain/schema-parts.ts';
import { enveloped } from './envelope.ts';
import { sendSection } from './read-section.ts';
import { From, Generation, SymbolParams } from './schemas.ts';
import { answerField, type Section, sections } from './sections.ts';
import { type SectionView, surfaceView } from './surface-view.ts';
import { marketSymbol, SymbolText } from './symbols.ts';

const views: Readonly<Record<string, SectionView>> = { surface: surfaceView };

/** One route a section, the symbol in its path or in its query. */
export const sectionRoutes: FastifyPluginAsyncTypebox<{ context: Context; hub: Hub }> = async (app, edge) => {
  for (const [name, { path, suffix, title, data }] of Object.entries<Section>(sections)) {
    const view = views[name];
    const query = { from: From, generation: Generation, ...view?.query };
    // what is kept, and what of it is shown
    const asked = (given: { readonly generation?: string }) =>
      view?.read(given) ?? { field: answerField(name, given.generation ?? '1') };
    const schema = {
      tags: ['analytics'],
      headers: WaitHeaders,
      response: { 200: enveloped(orNull(data), title), ...acceptedResponse },
    };
    const operationId = `read${name[0]?.toUpperCase()}${name.slice(1).replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
    app.get(
      suffix === undefined ? `/v1/${path}/:symbol` : `/v1/${path}/:symbol/${suffix}`,
      {
        schema: {
          ...schema,
          summary: title,
          operationId,
          params: SymbolParams,
          querystring: Type.Object(query),
        },
      },
      async (request, reply) => {
        const { from = 'own' } = request.query;
        const symbol = marketSymbol(request.params.symbol);
        return await sendSection(edge, request, reply, { symbol, from, ...asked(request.query) });
      },
    );
    if (suffix !== undefined) continue;
    app.get(
      `/v1/${path}`,
      {
        schema: {
          ...schema,
          summary: `${title}, by query`,
          operationId: `${operationId}ByQuery`,
          querystring: Type.Object({ symbol: SymbolText, ...query }),
        },
      },
      async (request, reply) => {
        const { symbol, from = 'own' } = request.query;
        return await sendSection(edge, request, reply, {
          symbol: marketSymbol(symbol),
          from,
          ...asked(request.query),
        });
      },
    );
  }
};
