import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type ErrorAnswer, errorMisfit } from '#test/studio/documented-errors.ts';
import type { Document, Route } from './document.ts';
import type { Shot } from './requests.ts';

/** Finds what of an answer is not as the document says; nothing where all is. */
export function answerChecks(document: Document): (shot: Shot, answer: ErrorAnswer) => string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, 'document:');
  const at = (...steps: readonly string[]) =>
    `document:#/${steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
  const check = (value: unknown, ...steps: readonly string[]): string[] => {
    const fits = ajv.getSchema(at(...steps));
    if (!fits) throw new Error(`expected a schema at ${at(...steps)}, got none`);
    return fits(value) ? [] : [ajv.errorsText(fits.errors)];
  };
  const here = ({ path, method }: Route) => ['paths', path, method.toLowerCase()];

  return ({ route, payload, caller }, answer) => {
    const { statusCode: status, headers, body } = answer;
    const found = status >= 500 ? [`a failure of ours: ${body}`] : [];
    const documented = route.operation.responses[status];
    if (!documented) return [...found, `status ${status} is not documented: ${body.slice(0, 300)}`];
    const mediaType = String(headers['content-type']).split(';')[0] ?? '';
    if (!documented.content?.[mediaType]) return [...found, `media type ${mediaType} is not documented for ${status}`];
    if (status >= 400) return [...found, ...errorMisfit(answer)];
    const isOpen = route.operation.security?.length === 0;
    if (!isOpen && (caller === 'nobody' || caller === 'unknown')) found.push(`${caller} was let in`);
    if (mediaType === 'application/json')
      found.push(
        ...check(JSON.parse(body), ...here(route), 'responses', String(status), 'content', mediaType, 'schema'),
      );
    if (route.body === null) return found;
    const asked: unknown = payload === undefined ? null : JSON.parse(payload);
    const misfits = check(asked, ...here(route), 'requestBody', 'content', 'application/json', 'schema');
    return [...found, ...misfits.map((one) => `took what it does not document: ${one}`)];
  };
}
