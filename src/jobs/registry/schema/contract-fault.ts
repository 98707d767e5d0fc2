import { escapeStep } from '#src/lib/json-pointer.ts';

/** The first thing that keeps a contract from being taken. */
export interface ContractFault {
  /** JSON pointer into the contract, such as `/payload/properties/width`. */
  readonly path: string;
  /** A sentence without its full stop: what was expected, what came. */
  readonly message: string;
  /** True where it is not certain that there is one: looking on would take too much work. */
  readonly isUndecided?: boolean;
}

/** A step further into a JSON pointer. */
export function at(path: string, name: string | number): string {
  return `${path}/${escapeStep(String(name))}`;
}
