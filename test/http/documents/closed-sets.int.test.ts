import { expect, test } from 'vitest';
import { testApi } from '#test/http/api.ts';

type Json = Record<string, any>;

const documents = ['/v1/openapi.json', '/api/v1/openapi.json', '/api/studio/v1/openapi', '/api/openapi.json'];

/** Names of members whose text is one of few, wherever they stand. */
const closedNames = `status state symbol generation kind type mode severity outcome verdict action role variant object
  method assurance order channel scope code level regime decision sensitivity purpose direction side family phase stage
  basis bound style health circuit via option`.split(/\s+/);
const isClosed = (name: string): boolean =>
  closedNames.some((one) => [one, `${one}s`].includes(name)) ||
  /(_|[a-z](?=[A-Z]))(status|state|kind|type|mode|severity|generation|symbol)$/i.test(name);

const storedCode = 'a failure that was stored: an earlier release may have written a code that is no more';
const named = 'what happened is named by whoever wrote the event; stored events keep their names';

/** Members that only sound closed, and why their text is free. */
const free: Readonly<Record<string, string>> = {
  'Problem.type': 'a URN with the code in it, which stands beside it',
  'PlatformProblem.type': 'a URN with the code in it, which stands beside it',
  'JobFailure.code': storedCode,
  'MissionFailure.code': storedCode,
  'ResponseFailure.code': storedCode,
  'Video.error.code': storedCode,
  'Batch.errors.data.code': storedCode,
  'ActionProgress.failures.code': storedCode,
  'JobTimeline.events.type': named,
  'ReceiptEvent.type': named,
  'HumanChallenge.scope': 'a field element of the proof system',
  'WorldIdEnrolment.action': 'the name that the operator gave the action at World ID',
  'InviteHumanAnswer.code': 'a secret',
  'PlatformContract.errors.media_type': 'a media type',
  'MediaAsset.media_type': 'a media type',
  'PlatformContract.routes.purpose': 'a sentence',
  'Integrations.api.purpose': 'a sentence',
  'CapabilitySummary.routes.purpose': 'a sentence',
  'CapabilityDescriptor.routes.purpose': 'a sentence',
  'GenerationScores.method': 'a sentence',
  'WebhookEndpoint.symbols': 'underlyings, also those that are not followed yet',
  'WebhookEndpointWithSecret.symbols': 'underlyings, also those that are not followed yet',
  'WebhookEventDelivery.type': 'of any event: those of jobs are named by their workers too',
  'WebhookEventDeliveryDetail.type': 'of any event: those of jobs are named by their workers too',
};

/** Members of a schema that are looked at by themselves, or are data. */
const notSchemas = new Set(['properties', 'example', 'examples']);

interface Member {
  /** The schema or operation that it stands in, and the way to it. */
  readonly at: string;
  readonly isFree: boolean;
}

/** Every member of a name that sounds closed, in whatever an operation of the document can answer. */
function closedMembers(document: Json): Member[] {
  const found: Member[] = [];
  const seen = new Set<string>();
  const resolve = (schema: Json): Json => {
    const [, , kind = '', name = ''] = (schema['$ref'] as string | undefined)?.split('/') ?? [];
    return name === '' ? schema : resolve(document['components'][kind][name]);
  };
  const isFreeText = (schema: Json): boolean => {
    const { enum: values, const: value, type, anyOf = [], oneOf = [], items } = resolve(schema);
    if (values !== undefined || value !== undefined) return false;
    return [type].flat().includes('string') || [...anyOf, ...oneOf, ...(items ? [items] : [])].some(isFreeText);
  };
  const look = (value: Json, at: string): void => {
    const name = (value['$ref'] as string | undefined)?.split('/').at(-1);
    if (name !== undefined) {
      if (!seen.has(name)) look(resolve(value), name);
      seen.add(name);
      return;
    }
    for (const [key, schema] of Object.entries<Json>(value['properties'] ?? {})) {
      if (isClosed(key)) found.push({ at: `${at}.${key}`, isFree: isFreeText(schema) });
      look(schema, `${at}.${key}`);
    }
    for (const [key, inner] of Object.entries<Json>(value))
      if (!notSchemas.has(key) && typeof inner === 'object' && inner !== null) look(inner, at);
  };
  for (const operations of Object.values<Json>(document['paths']))
    for (const { operationId, responses } of Object.values<Json>(operations)) look(responses, operationId);
  return found;
}

test('what sounds like one of few values says which, in every answer of every document, or stands in the list of those that are free', async () => {
  await using api = await testApi();
  const members: Member[] = [];
  for (const path of documents) members.push(...closedMembers((await api.app.inject(path)).json()));
  // an empty walk would prove nothing
  expect(members.length).toBeGreaterThan(500);
  const open = new Set(members.filter(({ isFree }) => isFree).map(({ at }) => at));
  expect([...open].toSorted()).toEqual(Object.keys(free).toSorted());
});

test('an underlying has one schema: in answers and in the bodies of requests', async () => {
  await using api = await testApi();
  const { components } = (await api.app.inject('/v1/openapi.json')).json();
  expect(components.schemas.MarketSymbol.enum).toEqual(expect.arrayContaining(['SPX', 'RUT']));
  const others = Object.entries<Json>(components.schemas).filter(
    ([name, schema]) => name !== 'MarketSymbol' && /"enum":\["SPX"/.test(JSON.stringify(schema)),
  );
  expect(others.map(([name]) => name)).toEqual([]);
});
