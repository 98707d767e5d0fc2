import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readsQuestions } from '#src/analytics/oracle/read-question.ts';
import { unaccounted } from '#src/missions/domain/goal/account.ts';
import { planGoal } from '#src/missions/domain/plan-goal.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { goals } from '#test/missions/goals.ts';
import { shortLeft, shortPlan, writeOut } from '#test/missions/short-plan.ts';

const readQuestion = readsQuestions(loadConfig({}));
const symbols = ['SPX', 'SPY', 'QQQ'];
const all = [...symbols, 'IWM', 'NDX', 'RUT'];
const steps = (goal: string, symbol?: string) =>
  planGoal(goal, { symbols, symbol }).steps.map(({ capability, input }) => [capability, input]);

const rows = goals.map(([first, second, left = '']): [string, string, string] => [first, second, left]);

test('the table holds enough goals, each once', () => {
  expect(goals.length).toBeGreaterThanOrEqual(60);
  expect(new Set(goals.map(([goal]) => goal)).size).toBe(goals.length);
});

test.each(rows)('%s', (goal, expected, left) => {
  const plan = planGoal(writeOut(goal), { symbols: all, readQuestion });
  expect([shortPlan(plan), shortLeft(plan)]).toEqual([expected, left]);
});

test('a part that names no symbol takes that of the part before, or of the inputs, and says so', () => {
  const plan = planGoal('Take a snapshot of SPY and show the surface', { symbols });
  expect(plan.steps.map(({ input }) => input)).toEqual([{ symbol: 'SPY' }, { symbol: 'SPY' }]);
  expect(plan.notes).toEqual(['s2: SPY taken from the clause before']);
  expect(steps('take a snapshot', 'QQQ')).toEqual([['analytics.snapshot', { symbol: 'QQQ' }]]);
  expect(steps('take a snapshot')).toEqual([]);
});

test('what no rule understands is named, never guessed', () => {
  const plan = planGoal('Make me a sandwich. Take a snapshot of SPX. 株価を教えて', { symbols });
  expect(plan.steps).toHaveLength(1);
  expect(plan.unmapped).toEqual(['Make me a sandwich', '株価を教えて']);
  expect(planGoal('record a voice-over', { symbols })).toMatchObject({ steps: [], unmapped: ['record a voice-over'] });
  expect(planGoal('hash it', { symbols })).toMatchObject({ steps: [], unmapped: ['hash it'] });
});

test('a message waits for everything before it', () => {
  const { steps: planned } = planGoal('snapshot SPX; snapshot SPY; post it to https://hooks.example.com', { symbols });
  expect(planned.at(-1)).toMatchObject({ capability: 'notify.webhook', dependsOn: ['s1', 's2'] });
});

test('any text is planned without an error, with names of their own, each part once', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (goal) => {
      const { steps: planned } = planGoal(goal, { symbols, symbol: 'SPX' });
      expect(new Set(planned.map(({ id }) => id)).size).toBe(planned.length);
    }),
  );
});

test('a long goal is read in time that grows with its length', () => {
  const goal = `${' '.repeat(50_000)}${'and then . drops 3% https:// '.repeat(4_000)}`;
  expect(planGoal(goal, { symbols, symbol: 'SPX' }).steps.length).toBeGreaterThan(0);
});

test('what comes "then" waits for what came before; what comes beside it does not', () => {
  const dependencies = (goal: string) => planGoal(goal, { symbols }).steps.map(({ dependsOn = [] }) => dependsOn);
  expect(dependencies('snapshot SPX, then stress SPX. Then show the surface')).toEqual([[], ['s1'], ['s2']]);
  expect(dependencies('snapshot SPX and show the surface')).toEqual([[], []]);
});

const deeds = fc.constantFrom(
  'take a snapshot of SPX',
  'stress SPX down 4%',
  'hash "hello"',
  'fetch https://example.com/a',
  'make a picture of a dog',
  'post "hello" to https://hooks.example.com',
  'where is the gamma flip of QQQ',
  'compose 20 s of music',
);
const extras = fc.constantFrom(
  '',
  ' every 5 minutes',
  ' at 9:30',
  ' twice',
  ' for 7 dollars',
  ' if gamma is above 12',
  ' tomorrow',
  ' by email',
  ' 3 times',
  ' unless it is 2026-01-05',
);
const joints = fc.constantFrom('. ', '; ', ', then ', ', and ', ' and then ');
const goalsOf = fc
  .tuple(fc.array(fc.tuple(deeds, extras), { minLength: 1, maxLength: 4 }), joints)
  .map(([parts, joint]) => parts.map(([deed, extra]) => `${deed}${extra}`).join(joint));

test('every number of a goal is in the inputs of the plan or in what is left over', () => {
  fc.assert(
    fc.property(goalsOf, (goal) => {
      const { steps: planned, unmapped } = planGoal(goal, { symbols });
      const said = JSON.stringify([planned.map(({ input }) => input), unmapped]);
      for (const [number] of goal.matchAll(/\d+/g))
        expect(said).toMatch(new RegExp(String.raw`(?<!\d)0*${Number(number)}(?!\d)`));
    }),
  );
});

test('a plan by rules leaves nothing out that a plan by a model would be asked about', () => {
  fc.assert(
    fc.property(goalsOf, (goal) => {
      const { steps: planned, unmapped } = planGoal(goal, { symbols });
      expect(unaccounted(goal, planned, unmapped)).toEqual([]);
    }),
  );
});

test.each(['do not ', "don't ", 'never ', 'please do not ', 'no need to '])(
  '“%s” before it changes the plan of any deed',
  (negation) => {
    fc.assert(
      fc.property(deeds, extras, (deed, extra) => {
        const plain = planGoal(`${deed}${extra}`, { symbols });
        const negated = planGoal(`${negation}${deed}${extra}`, { symbols });
        expect(negated.steps).toEqual([]);
        expect(plain.steps.length + plain.unmapped.length).toBeGreaterThan(0);
      }),
    );
  },
);

test('whatever waits is named, and names words of the goal', () => {
  fc.assert(
    fc.property(goalsOf, (goal) => {
      const { unmapped, doubts } = planGoal(goal, { symbols });
      for (const doubt of doubts) expect(unmapped).toContain(doubt);
      for (const text of unmapped) expect(goal).toContain(text);
    }),
  );
});
