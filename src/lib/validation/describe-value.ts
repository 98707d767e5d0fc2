import { whenUsed } from '#src/lib/async/when-used.ts';
import { describeValidation } from './describe-validation.ts';
import { buildValidators } from './validators.ts';

/** Sentence about a value that does not fit, and the JSON pointer of its fault. */
interface Description {
  readonly message: string;
  readonly pointer: string;
}

/**
 * Returns what describes, as a body is described, why a value does not fit a schema: one of many, which is checked beside
 * others by something that is quicker and says less. Null where nothing is wrong with it here.
 *
 * @param root name of the value in the sentence
 */
export function describerOf(schema: object, root: string): (value: unknown) => Description | null {
  const validator = whenUsed(() => buildValidators({})({ schema, method: '', url: '', httpPart: 'body' }));
  return (value) => {
    const validate = validator();
    return validate(value) === true ? null : describeValidation(validate.errors ?? [], root);
  };
}
