import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { enveloped } from '#src/analytics/answers/envelope.ts';
import { From, GenerationParam, SymbolParams } from '#src/analytics/answers/schemas.ts';
import { answerField, type Section, type SectionName, sections } from '#src/analytics/answers/sections.ts';
import { marketSymbol, SymbolText } from '#src/analytics/answers/symbol-params.ts';
import { type GenerationName, generationOf } from '#src/analytics/domain/positions/dealer-positions.ts';
import { orNull } from '#src/analytics/domain/schema-parts.ts';
import { acceptedResponse, WaitHeaders } from '#src/http/respond/answer-with-job.ts';
import type { Hub } from '#src/http/streams/hub.ts';
import type { Context } from '#src/system/context.ts';
import { sendCustomSection, sendSection } from './read-section.ts';
import { optionParameters, optionsIn } from './section-options.ts';
import { type SectionView, surfaceView } from './surface-view.ts';

interface SectionQuery {
  readonly from?: 'own' | 'feed';
  readonly generation?: GenerationName;
}

const views: Readonly<Record<string, SectionView>> = { surface: surfaceView };

/** The parameter of a section that has one generation: any other is refused, not ignored. */
function firstGeneration(why: string) {
  return Type.Optional(Type.Literal('1', { description: `Only 1: ${why}` }));
}

/** One route a section, the symbol in its path or in its query. */
export const sectionRoutes: FastifyPluginAsyncTypebox<{ context: Context; hub: Hub }> = async (app, edge) => {
  for (const name of Object.keys(sections) as SectionName[]) {
    const { path, suffix, title, data, oneGeneration }: Section = sections[name];
    const view = views[name];
    const query = {
      from: From,
      generation: oneGeneration === undefined ? GenerationParam : firstGeneration(oneGeneration),
      ...view?.query,
      ...optionParameters(name),
    };
    const send = async (request: FastifyRequest, reply: FastifyReply, text: string, parameters: SectionQuery) => {
      const { from = 'own', generation = '1' } = parameters;
      const symbol = marketSymbol(text);
      const options = optionsIn(name, parameters);
      if (options)
        return await sendCustomSection(edge, request, reply, {
          symbol,
          from,
          section: name,
          generation: generationOf(generation),
          options,
        });
      // the stored answer, and the part of it that is shown
      const shown = view?.read(parameters) ?? { field: answerField(name, generation) };
      return await sendSection(edge, request, reply, { symbol, from, ...shown });
    };
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
      async (request, reply) => await send(request, reply, request.params.symbol, request.query as SectionQuery),
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
      async (request, reply) => await send(request, reply, request.query.symbol, request.query as SectionQuery),
    );
  }
};
