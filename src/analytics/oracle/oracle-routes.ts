import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { questionReader } from '#src/governance/missions/question-reader.ts';
import { callerOf } from '#src/http/respond/caller-of.ts';
import type { Hub } from '#src/http/streams/hub.ts';
import type { Context } from '#src/system/context.ts';
import { answerQuestion } from './answer-question.ts';
import { OracleAnswer, OracleRequest, OracleTools } from './oracle-answer.ts';
import { readsQuestions } from './read-question.ts';
import { servedTools } from './run-tool.ts';

const tags = ['analytics'];

/** Questions in words, answered from what the analyses say and from nothing else. */
export const oracleRoutes: FastifyPluginAsyncTypebox<{ context: Context; hub: Hub }> = async (app, edge) => {
  questionReader(edge.context).read = readsQuestions(edge.context.config);

  app.get(
    '/v1/oracle/tools',
    {
      schema: {
        tags,
        summary: 'The analyses a question may be answered from',
        operationId: 'listOracleTools',
        response: { 200: OracleTools },
      },
    },
    () => ({
      tools: servedTools.map(({ name, description, parameters }) => ({
        name,
        description,
        parameters: { ...parameters },
      })),
    }),
  );

  app.post(
    '/v1/oracle/query',
    {
      config: { scope: 'platform.mcp.execute' },
      schema: {
        tags,
        summary: 'Answer a question about dealer positioning, each number with the field it comes from',
        operationId: 'queryOracle',
        body: OracleRequest,
        response: { 200: OracleAnswer },
      },
    },
    async (request, reply) => await answerQuestion(callerOf(edge, request, reply), request.body),
  );
};
