import { AppError } from '#src/lib/errors.ts';
import type { SealedReceipt } from '#src/receipts/receipt-store.ts';
import {
  type EventData,
  type MissionEventType,
  type NoticeType,
  openMissionLog,
  type StoredEvent,
} from './mission-log.ts';
import type { EndedJob, Failure, Mission, Step } from './mission-row.ts';
import { type MissionMove, missionMoves } from './mission-states.ts';
import type { StepChange } from './step-contents.ts';

/** Changes of a mission's row. Times are the moment of the transaction. */
export interface MissionChange {
  readonly state?: Mission['state'];
  /** Millionths of a dollar. */
  readonly spent?: number;
  readonly error?: Failure;
  /** It has begun to execute, and its time runs. */
  readonly executed?: true;
  /** None of its steps runs any more. */
  readonly finished?: true;
  /** Its stream has ended. */
  readonly closed?: true;
}

/** Everything that a transaction writes about one mission, beside what its work writes by itself. */
export interface Written {
  readonly mission: Mission;
  readonly change: MissionChange;
  readonly steps: ReadonlyMap<string, { readonly state: Step['state']; readonly change: StepChange }>;
  readonly events: readonly StoredEvent[];
  readonly receipt: SealedReceipt | null;
}

/**
 * A mission whose row is locked, and what is to become of it: nothing is written before every mission of the transaction is
 * decided, and then all of it together.
 */
export interface Draft {
  /** As it will be. */
  readonly mission: Mission;
  /** Present state of each step, in the order of the plan. */
  readonly steps: ReadonlyMap<string, Step>;
  /** Jobs of running steps that have ended, by their ids. */
  readonly ended: ReadonlyMap<string, EndedJob>;
  /** Outputs of steps that have succeeded in this transaction. */
  readonly outputs: () => Readonly<Record<string, unknown>>;
  /** Inputs of the steps that run from this transaction on, as they are stored: there once it is committed. */
  readonly inputs: Map<string, Readonly<Record<string, unknown>>>;
  /** Adds to the chain that the receipt will seal. */
  readonly add: (type: MissionEventType, data?: EventData) => void;
  /** Tells something once the chain is closed. */
  readonly notice: (type: NoticeType, data: EventData) => void;
  readonly set: (change: MissionChange) => void;
  /** Sets the state of a step and what else is given. Its times follow from the state. */
  readonly setStep: (step: string, state: Step['state'], change?: StepChange) => void;
  /** Keeps the receipt of the mission, and puts its root into the outbox of the anchors. */
  readonly keepReceipt: (receipt: SealedReceipt) => void;
  readonly written: () => Written;
}

/** Its mission is another object with every change. */
type Open = Omit<Draft, 'mission'> & { mission: Mission };

export function openDraft(locked: Mission, rows: readonly Step[], ended: readonly EndedJob[]): Draft {
  const log = openMissionLog(locked);
  const steps = new Map(rows.map((step) => [step.step, step]));
  const changed = new Map<string, { readonly state: Step['state']; readonly change: StepChange }>();
  let change: MissionChange = {};
  let receipt: SealedReceipt | null = null;
  const draft: Open = {
    mission: locked,
    steps,
    ended: new Map(ended.map((job) => [job.id, job])),
    outputs: () =>
      Object.fromEntries(
        [...changed].flatMap(([name, { change: known }]) =>
          'output' in known ? [[name, asStored(known.output)]] : [],
        ),
      ),
    inputs: new Map(),
    add: log.add,
    notice: log.notice,
    set: (more: MissionChange) => {
      change = { ...change, ...more };
      draft.mission = changedMission(draft.mission, more);
    },
    setStep: (name: string, state: Step['state'], more: StepChange = {}) => {
      changed.set(name, { state, change: { ...changed.get(name)?.change, ...more } });
      const step = steps.get(name);
      const { input: _input, output: _output, ...known } = more;
      if (step) steps.set(name, { ...step, ...known, state });
    },
    keepReceipt: (sealed: SealedReceipt) => {
      receipt = sealed;
      draft.mission = { ...draft.mission, sealedAt: new Date(sealed.statement.predicate.sealedAt) };
    },
    written: () => ({
      mission: { ...draft.mission, ...log.end() },
      change,
      steps: changed,
      events: log.added,
      receipt,
    }),
  };
  return draft;
}

/** Returns a value as it is read back once it is written. */
const asStored = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

/** Shows times by the clock of this process; those of the database are written. */
function changedMission(mission: Mission, { state, spent, error, executed, finished, closed }: MissionChange): Mission {
  const now = new Date();
  return {
    ...mission,
    ...(state !== undefined && { state }),
    ...(spent !== undefined && { spent }),
    ...(error && { error }),
    ...(executed && { executedAt: now, deadlineAt: new Date(now.getTime() + mission.timeoutS * 1_000) }),
    ...(finished && { finishedAt: now }),
    ...(closed && { closedAt: now }),
  };
}

/**
 * Moves a mission whose row is locked.
 *
 * @throws AppError `state_conflict` naming the states that allow the move.
 */
export function moveMission({ mission: { id, state }, set }: Pick<Draft, 'mission' | 'set'>, move: MissionMove): void {
  const { from, to } = missionMoves[move];
  if (!from.some((one) => one === state))
    throw new AppError(
      'state_conflict',
      `expected a mission that is ${from.join(' or ')}, got one that is ${state}: it cannot ${move}.`,
      { mission: id, state },
    );
  set({ state: to });
}
