import { catalogueOf } from '#src/providers/catalogue/catalogue-load.ts';
import { ignoredOf } from '#src/providers/catalogue/left-out.ts';
import type { TextRequest } from '#src/providers/text/text.ts';
import { wireBody } from '#src/providers/text/wire.ts';
import type { Context } from '#src/system/context.ts';

/** The header that names what of a request the provider was not told, because its model does not know it; none of none. */
export function ignoredParameters(
  context: Context,
  provider: string,
  request: TextRequest,
): { readonly 'x-parameters-ignored'?: string } {
  const offered = catalogueOf(context).find(({ id }) => id === provider)?.capabilities['text.generate'];
  const names = offered ? ignoredOf(wireBody(offered.model, request, 1), offered) : [];
  return names.length > 0 ? { 'x-parameters-ignored': names.join(', ') } : {};
}
