import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type TSchema, Type } from 'typebox';
import { areaNames } from '#queues/terms.ts';
import { AssuranceName } from '#src/access/humans/store/assurance-schema.ts';
import { approvalPage } from '#src/governance/approvals/approval-page.ts';
import { approvalStates } from '#src/governance/approvals/approval-row.ts';
import { ApprovalView } from '#src/governance/approvals/approval-view.ts';
import { needsHumanProof } from '#src/governance/approvals/areas.ts';
import { approvalTally, missionTally } from '#src/governance/approvals/tallies.ts';
import { listMissions } from '#src/governance/missions/mission-store.ts';
import type { MissionContracts as Contracts } from '#src/governance/missions/orchestration.ts';
import { Plan, SensitivityName, sensitivities } from '#src/governance/missions/plan.ts';
import { decide } from '#src/governance/missions/policy.ts';
import { baseOf } from '#src/http/request/base-url.ts';
import { sharedAnswer } from '#src/lib/async/shared-answer.ts';
import { Receipt } from '#src/receipts/format/receipt-schema.ts';
import { listReceipts, receiptTotals } from '#src/receipts/list-receipts.ts';
import type { Context } from '#src/system/context.ts';
import {
  govListOf,
  JsonSchema,
  MissionRecord,
  missionRecord,
  PageQuery,
  ReceiptRecord,
  receiptRecord,
} from './gov-views.ts';

/** Governing records and rules that are stored outside this part. */
export interface Governance {
  /** Areas in which nothing is done without an approval, with the rule of each. */
  readonly doctrine: Readonly<Record<string, string>>;
  readonly missions: Contracts;
}

const config = { access: 'optional', scope: 'platform.mcp.read', anyOrigin: true } as const;
const tags = ['platform'];
/** Shortest time between counts: anybody may request them. */
const COUNTED_MS = 5_000;
const Counts = Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { description: 'Counts of the whole service' });
/** An approval as the studio shows it, described in place: its name is the studio's. */
const ApprovalRecord = Type.Object(ApprovalView.properties, { title: 'ApprovalRecord', additionalProperties: false });
const nobodys = { data: [], has_more: false, next_cursor: null };

/** Describes the governance of the work here: schemas and counts for anybody, records for their owner. */
export const govRoutes: FastifyPluginAsyncTypebox<{ context: Context; governance: Governance }> = async (
  app,
  { context, governance },
) => {
  const missions = sharedAnswer(COUNTED_MS, async () => await missionTally(context));
  const receipts = sharedAnswer(COUNTED_MS, async () => await receiptTotals(context));
  const approvals = sharedAnswer(COUNTED_MS, async () => await approvalTally(context));
  const contracts = contractsOf(context, governance);

  app.get(
    '/gov/mission-contracts',
    {
      config,
      schema: {
        tags,
        summary: 'Schemas and policies that missions are held to; your missions',
        operationId: 'readMissionContracts',
        querystring: PageQuery,
        response: { 200: Type.Object({ ...MissionContracts, ...govListOf(MissionRecord, Counts) }) },
      },
    },
    async (request) => {
      const { principal, query } = request;
      const fixed = {
        object: 'list' as const,
        authenticated: principal !== null,
        counts: await missions(),
        ...contracts,
      };
      if (!principal) return { ...fixed, ...nobodys };
      const { limit, cursor: before = null } = query;
      const found = await listMissions(context, { owner: principal.owner, before, limit });
      const base = baseOf(request, context.config, 'missions');
      return { ...fixed, ...pageFrom(found, limit, (mission) => missionRecord(base, mission)) };
    },
  );

  app.get(
    '/gov/receipts',
    {
      config,
      schema: {
        tags,
        summary: 'Describe and count receipts; list yours',
        operationId: 'listGovernanceReceipts',
        querystring: PageQuery,
        response: { 200: Type.Object({ ...govListOf(ReceiptRecord, Counts), schema: JsonSchema }) },
      },
    },
    async (request) => {
      const { principal, query } = request;
      const fixed = {
        object: 'list' as const,
        authenticated: principal !== null,
        counts: await receipts(),
        schema: plain(Receipt),
      };
      if (!principal) return { ...fixed, ...nobodys };
      const { limit, cursor: before = null } = query;
      const found = await listReceipts(context, { owner: principal.owner, before, limit });
      const base = baseOf(request, context.config);
      return { ...fixed, ...pageFrom(found, limit, (receipt) => receiptRecord(base, receipt)) };
    },
  );

  app.get(
    '/gov/approvals',
    {
      config,
      schema: {
        tags,
        summary: 'Describe approvals and count the waiting ones; list yours',
        description: 'The approvals of `/api/studio/v1/approvals`. A signed-in person decides, at `decideAt` of each.',
        operationId: 'listGovernanceApprovals',
        querystring: Type.Object({
          ...PageQuery.properties,
          status: Type.Optional(Type.Enum([...approvalStates], { type: 'string', description: 'Only those' })),
        }),
        response: { 200: Type.Object({ ...govListOf(ApprovalRecord, Counts), schema: JsonSchema }) },
      },
    },
    async (request) => {
      const { principal, query } = request;
      const fixed = {
        object: 'list' as const,
        authenticated: principal !== null,
        counts: await approvals(),
        schema: plain(ApprovalRecord),
      };
      if (!principal) return { ...fixed, ...nobodys };
      const { limit, cursor = null, status: state = null } = query;
      const page = await approvalPage(context, principal, { state, limit, cursor });
      return { ...fixed, data: page.approvals, has_more: page.nextCursor !== null, next_cursor: page.nextCursor };
    },
  );
};

const MissionContracts = {
  schemas: Type.Object({ mission_request: JsonSchema, plan: JsonSchema, receipt: JsonSchema }),
  capabilities: Type.Array(
    Type.Object({
      name: Type.String(),
      title: Type.String(),
      sensitivity: SensitivityName,
      input_schema: JsonSchema,
    }),
    { description: 'Kinds of steps of a mission' },
  ),
  policies: Type.Array(
    Type.Object({
      sensitivity: SensitivityName,
      name: Type.String(),
      decision: Type.Enum(['allow', 'human'], { type: 'string' }),
      assurance: Type.Union([AssuranceName('Certainty that a human made a proof'), Type.Null()], {
        description: 'Least assurance of the human’s proof',
      }),
    }),
    { description: 'Rules in force now for deciding over a step' },
  ),
  approval_areas: Type.Array(
    Type.Object({
      area: Type.String(),
      rule: Type.String(),
      needs_proof_of_personhood: Type.Boolean({ description: 'Besides the sign-in' }),
    }),
    { description: 'Parts of an effect that a signed-in person has to allow' },
  ),
  doctrine: Type.Record(Type.String(), Type.String()),
};

function contractsOf({ config: settings }: Context, { doctrine, missions }: Governance) {
  return {
    schemas: { mission_request: plain(missions.request), plan: plain(Plan), receipt: plain(Receipt) },
    capabilities: missions.capabilities.map(({ input, ...capability }) => ({
      ...capability,
      input_schema: plain(input),
    })),
    policies: sensitivities.map((sensitivity) => ({ sensitivity, ...decide(settings, sensitivity) })),
    approval_areas: areaNames.map((area) => ({
      area,
      rule: doctrine[area] ?? 'approval_required',
      needs_proof_of_personhood: needsHumanProof([{ area, why: '' }]),
    })),
    doctrine: { ...doctrine },
  };
}

const plain = (schema: TSchema): Readonly<Record<string, unknown>> => ({ ...schema });

/** A page of what was found, which is one more than the limit where there is more. */
function pageFrom<T extends { readonly id: string }, V>(found: readonly T[], limit: number, view: (one: T) => V) {
  const page = found.slice(0, limit);
  const hasMore = found.length > limit;
  return { data: page.map(view), has_more: hasMore, next_cursor: hasMore ? (page.at(-1)?.id ?? null) : null };
}
