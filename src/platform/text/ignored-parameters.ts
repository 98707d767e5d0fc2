import { catalogueOf } from '#src/providers/catalogue/catalogue-load.ts';
import { ignoredOf } from '#src/providers/catalogue/left-out.ts';
import type { TextRequest } from '#src/providers/text/text.ts';
import { wireBody } from '#src/providers/text/wire.ts';
import type { Context } from '#src/system/context.ts';

/**
 * Returns the header that names the parameters that were not sent to the provider, because its model does not know
 * them; none where all were sent.
 */
export function ignoredParameters(
  context: Context,
  provider: string,
  request: TextRequest,
): { readonly 'x-parameters-ignored'?: string } {
  const offered = catalogueOf(context).find(({ id }) => id === provider)?.capabilities['text.generate'];
  const names = offered ? ignoredOf(wireBody(offered.model, request, 1), offered) : [];
  return names.length > 0 ? { 'x-parameters-ignored': names.join(', ') } : {};
}
