import { AppError } from '#src/lib/errors.ts';
import type { CheckedStep } from '#src/missions/domain/check-plan.ts';
import type { Config } from '#src/system/config/config-type.ts';
import { allowedUrl } from '#src/system/outside/outside.ts';
import { capabilities } from './catalogue.ts';

/**
 * Why a step would certainly be refused where it wants to go: its origin is none that the settings allow. Null where
 * nothing is known against it: which addresses a name leads to is seen at the moment of the connection, and what an
 * earlier step gives once it is there.
 */
export function reachFault(config: Config, { capability, input }: CheckedStep): AppError | null {
  const reach = capabilities.get(capability)?.reach;
  const { url } = input;
  if (!reach || typeof url !== 'string') return null;
  try {
    allowedUrl(url, config[reach]);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
