import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Provider } from '#src/providers/catalogue/catalogue.ts';
import type { ProviderHealth } from '#src/providers/routing/health.ts';
import {
  policyWeights,
  type Routing,
  type RoutingQuestion,
  routeFor,
  routePolicies,
} from '#src/providers/routing/routing.ts';
import { offer, provider } from '#test/providers/offers.ts';

type Health = ProviderHealth['state'];
interface Figures {
  readonly quality: number;
  readonly seconds: number;
  readonly dollars: number;
  readonly health: Health;
}

const healths: readonly Health[] = ['unhealthy', 'degraded', 'healthy'];
const figures = fc.record<Figures>({
  quality: fc.integer({ min: 0, max: 20 }).map((n) => n / 20),
  seconds: fc.integer({ min: 0, max: 120 }),
  dollars: fc.integer({ min: 0, max: 200 }).map((n) => n / 100),
  health: fc.constantFrom(...healths),
});
const policy = fc.constantFrom(...routePolicies);
const several = fc.array(figures, { minLength: 1, maxLength: 8 });

const idOf = (index: number): string => `p-${String.fromCharCode(97 + index)}`;
const made = ({ quality, seconds, dollars }: Figures, index: number): Provider =>
  provider({
    id: idOf(index),
    capabilities: { 'image.generate': offer({ quality, latency: { base: seconds }, price: { perCall: dollars } }) },
  });

function ask(figuresOfAll: readonly Figures[], wanted: RoutingQuestion['policy']): RoutingQuestion {
  return {
    catalogue: figuresOfAll.map(made),
    health: new Map(
      figuresOfAll.map(({ health }, at) => [idOf(at), { state: health, circuit: 'closed', reason: health }]),
    ),
    capability: 'image.generate',
    request: { prompt: 'a lighthouse' },
    policy: wanted,
  };
}

const order = ({ primary, backups }: Routing): string[] =>
  [primary, ...backups].flatMap((route) => (route ? [route.provider] : []));

test('the weights of each policy sum to 1', () => {
  for (const weights of Object.values(policyWeights)) {
    expect(Object.values(weights).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
  }
});

test('each policy prefers what its name says, and the score is the documented sum', () => {
  const fine = { quality: 1, seconds: 60, dollars: 1, health: 'healthy' } as const;
  const quick = { quality: 0.3, seconds: 1, dollars: 1, health: 'healthy' } as const;
  const cheap = { quality: 0.3, seconds: 60, dollars: 0, health: 'healthy' } as const;
  const first = (wanted: RoutingQuestion['policy']) => order(routeFor(ask([fine, quick, cheap], wanted)))[0];
  expect(first('quality_first')).toBe('p-a');
  expect(first('speed_first')).toBe('p-b');
  expect(first('cost_guarded')).toBe('p-c');
  const [route] = [routeFor(ask([fine], 'balanced')).primary];
  expect(route?.scores).toEqual({ quality: 1, latency: 0.333333, cost: 0.090909, health: 1 });
  expect(route?.score).toBeCloseTo(0.3 + 0.2 / 3 + 0.3 / 11 + 0.2, 5);
});

test('property: the same question has the same answer, whatever the order of the catalogue', () => {
  fc.assert(
    fc.property(several, policy, fc.infiniteStream(fc.nat()), (figuresOfAll, wanted, keys) => {
      const question = ask(figuresOfAll, wanted);
      const shuffled = question.catalogue
        .map((one) => ({ one, key: keys.next().value }))
        .toSorted((left, right) => left.key - right.key)
        .map(({ one }) => one);
      const answer = routeFor(question);
      expect(routeFor(question)).toEqual(answer);
      expect(routeFor({ ...question, catalogue: shuffled })).toEqual(answer);
    }),
  );
});

test('property: who becomes better in one criterion never goes down', () => {
  const better = fc.constantFrom<(figures: Figures) => Figures>(
    (one) => ({ ...one, quality: Math.min(1, one.quality + 0.2) }),
    (one) => ({ ...one, seconds: one.seconds / 2 }),
    (one) => ({ ...one, dollars: one.dollars / 2 }),
    (one) => ({ ...one, health: healths[Math.min(2, healths.indexOf(one.health) + 1)] ?? one.health }),
  );
  fc.assert(
    fc.property(several, policy, better, fc.nat(), (figuresOfAll, wanted, improve, pick) => {
      const at = pick % figuresOfAll.length;
      const rank = (list: readonly Figures[]) => {
        const found = order(routeFor(ask(list, wanted))).indexOf(idOf(at));
        return found < 0 ? list.length : found;
      };
      const improved = figuresOfAll.map((one, index) => (index === at ? improve(one) : one));
      expect(rank(improved)).toBeLessThanOrEqual(rank(figuresOfAll));
    }),
  );
});

test('property: a third provider never makes two others change places', () => {
  fc.assert(
    fc.property(several, figures, policy, (figuresOfAll, third, wanted) => {
      const before = order(routeFor(ask(figuresOfAll, wanted)));
      const after = order(routeFor(ask([...figuresOfAll, third], wanted)));
      expect(after.filter((id) => id !== idOf(figuresOfAll.length))).toEqual(before);
    }),
  );
});

test('equal scores go by cost, then latency, then id', () => {
  const same = { quality: 0.5, seconds: 10, dollars: 0.1, health: 'healthy' } as const;
  expect(order(routeFor(ask([same, same, same], 'balanced')))).toEqual(['p-a', 'p-b', 'p-c']);
});

test('who cannot do it is left out with the reason, and who does not offer it is not spoken of', () => {
  const limited = offer({ limits: { seconds: 5, characters: 10 } });
  const catalogue = [
    provider({ id: 'long', capabilities: { 'tts.synthesize': limited } }),
    provider({ id: 'sick', capabilities: { 'tts.synthesize': offer() } }),
    provider({ id: 'bare', capabilities: { 'tts.synthesize': offer() } }),
    provider({ id: 'fit', capabilities: { 'tts.synthesize': offer() } }),
    provider({ id: 'other' }),
  ];
  const health = new Map<string, ProviderHealth>([
    ['sick', { state: 'unhealthy', circuit: 'open', reason: 'its circuit is open' }],
    ['bare', { state: 'degraded', circuit: 'closed', reason: '', without: new Map([['tts.synthesize', 'no voice']]) }],
  ]);
  const question = { catalogue, health, capability: 'tts.synthesize', policy: 'balanced' } as const;
  const answer = routeFor({ ...question, request: { prompt: 'x'.repeat(20), seconds: 4 } });
  expect(order(answer)).toEqual(['fit']);
  expect(answer.leftOut).toEqual([
    { provider: 'bare', reason: 'no voice' },
    { provider: 'long', reason: 'at most 10 characters at once, and there are 20' },
    { provider: 'sick', reason: 'its circuit is open' },
  ]);
  expect(routeFor({ ...question, request: { prompt: 'x', seconds: 6 } }).leftOut[1]?.reason).toContain('at most 5 s');
  expect(
    routeFor({ ...question, catalogue: catalogue.slice(0, 3), request: { prompt: 'x', seconds: 6 } }).primary,
  ).toBeNull();
});
