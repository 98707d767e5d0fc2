import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Document, Route } from '#test/studio/fuzz/document.ts';

export interface Answer {
  /** What was sent as JSON; undefined where it was something else. */
  readonly sent?: unknown;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly bytes: Buffer;
}

/**
 * Finds what of an answer is not as the document says: its status, its media type, its body (of a stream each event), and
 * of an error that it is one of ours with the status and the id that it was sent with; and that nothing is taken that the
 * document does not have; of its headers that the document knows them there. Nothing where all is.
 */
export function describedAnswers(document: Document): (route: Route, answer: Answer) => string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, 'document:');
  const misfits = (value: unknown, ...steps: readonly string[]): string[] => {
    const at = `document:#/${steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
    const fits = ajv.getSchema(at);
    if (!fits) throw new Error(`expected a schema at ${at}, got none`);
    return fits(value) ? [] : [ajv.errorsText(fits.errors)];
  };
  return ({ path, method, operation }, { status, headers, bytes, sent }) => {
    const name = [String(status), `${String(status)[0]}XX`].find((one) => one in operation.responses);
    if (name === undefined) return [`status ${status} is not documented: ${bytes.toString().slice(0, 300)}`];
    const { content = {}, headers: described = {} } = operation.responses[name] ?? {};
    const unsaid = Object.keys(document.components?.headers ?? {}).filter(
      (header) => headers[header.toLowerCase()] !== undefined && !(header in described),
    );
    if (unsaid.length > 0) return unsaid.map((header) => `the header ${header} is not documented for ${status}`);
    const mediaType = String(headers['content-type'] ?? '').split(';')[0] ?? '';
    if (bytes.length === 0 && Object.keys(content).length === 0) return [];
    if (!(mediaType in content)) return [`media type ${mediaType} is not documented for ${status}`];
    const taken =
      sent === undefined || status >= 400
        ? []
        : misfits(sent, 'paths', path, method.toLowerCase(), 'requestBody', 'content', 'application/json', 'schema');
    if (taken.length > 0) return taken.map((one) => `took what is not documented: ${one}`);
    const own = document.paths[path]?.[method.toLowerCase()]?.responses[name] as { readonly $ref?: string } | undefined;
    const whole = own?.$ref?.slice(2).split('/') ?? ['paths', path, method.toLowerCase(), 'responses', name];
    const at = [...whole, 'content', mediaType, 'schema'];
    if (mediaType === 'text/event-stream') return eventsOf(bytes).flatMap((event) => misfits(event, ...at));
    if (!mediaType.endsWith('json')) return bytes.length > 0 ? [] : ['an empty answer'];
    const body = JSON.parse(bytes.toString());
    const found = misfits(body, ...at);
    if (status < 400 || mediaType !== 'application/problem+json') return found;
    if (status >= 500 && body.code === 'internal') found.push(`a failure of ours: ${bytes.toString()}`);
    if (body.status !== status) found.push(`the problem says status ${body.status}, the answer ${status}`);
    if (body.request_id !== headers['x-request-id']) found.push('the problem has another request id than the answer');
    return found;
  };
}

/** What the events of a stream hold; its end is no JSON. */
function eventsOf(bytes: Buffer): unknown[] {
  const data = [...bytes.toString().matchAll(/^data: (.*)$/gm)].map(([, text = '']) => text);
  return data.filter((text) => text !== '[DONE]').map((text) => JSON.parse(text) as unknown);
}
