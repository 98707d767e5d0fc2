import type { Subject } from '../program/subject.ts';
import type { WorldSettings } from '../server/world.ts';

/** One thing that a worker must do. */
export interface Case {
  readonly name: string;
  readonly settings?: Partial<WorldSettings>;
  /** @throws Mismatch */
  readonly run: (subject: Subject) => Promise<void>;
}
