import { type CommonQueryMethods, sql } from 'slonik';
import { type Static, Type } from 'typebox';
import { row } from '#src/system/postgres/postgres.ts';
import { Step, stepColumns } from './mission-row.ts';

type Db = { readonly db: CommonQueryMethods };

const contents = {
  input: Type.Unsafe<Readonly<Record<string, unknown>> | null>({}),
  output: Type.Unsafe<unknown>({}),
};
const StepInFull = Type.Object({ ...Step.properties, ...contents });
/** A step with its input, every reference in it resolved, and its output; each null before it is known. */
export type StepInFull = Static<typeof StepInFull>;

/** Changes of a step beside its state. */
export type StepChange = Partial<
  Pick<StepInFull, 'input' | 'effect' | 'challenge' | 'output' | 'outputLength' | 'outputHash' | 'human' | 'error'>
>;

/** For the owner of the mission, in the order of the plan. Megabytes, where steps gave much. */
export async function readStepsInFull({ db }: Db, mission: string): Promise<readonly StepInFull[]> {
  return await db.any(sql.type(row(StepInFull))`
    select ${stepColumns}, s.input, s.output from mission_steps s where s.mission = ${mission} order by s.position`);
}

const Input = Type.Object({ step: Type.String(), input: contents.input });

/** Reads the inputs of these steps, by name; null where one is not known yet. */
export async function readInputs(
  { db }: Db,
  mission: string,
  steps: readonly string[],
): Promise<Readonly<Record<string, Static<typeof contents.input>>>> {
  if (steps.length === 0) return {};
  const rows = await db.any(sql.type(row(Input))`
    select step, input from mission_steps where mission = ${mission} and step = any(${sql.array([...steps], 'text')})`);
  return Object.fromEntries(rows.map(({ step, input }) => [step, input]));
}

const Output = Type.Object({ step: Type.String(), output: contents.output });

/** Reads the outputs of these steps, by name. */
export async function readOutputs(
  { db }: Db,
  mission: string,
  steps: readonly string[],
): Promise<Readonly<Record<string, unknown>>> {
  if (steps.length === 0) return {};
  const rows = await db.any(sql.type(row(Output))`
    select step, output from mission_steps where mission = ${mission} and step = any(${sql.array([...steps], 'text')})`);
  return Object.fromEntries(rows.map(({ step, output }) => [step, output]));
}
