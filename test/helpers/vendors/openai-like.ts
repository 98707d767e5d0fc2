import { chunksOf, streams } from './chat-stream.ts';
import { pngOf, wavOf } from './media.ts';
import { answersBytes, answersJson, type Script, startVendor, type Turn, type VendorServer } from './vendor-server.ts';

export type OpenaiRoute = 'generate' | 'edit' | 'speech' | 'transcribe' | 'chat' | 'file';

export interface OpenaiScript extends Script<OpenaiRoute> {
  /** Pictures as base64 (the usual) or as addresses. */
  readonly pictures?: 'base64' | 'url';
  readonly imageBytes?: Buffer;
  readonly soundBytes?: Buffer;
  readonly text?: string;
  /** Tokens that each answer says it took; null for services that say nothing. */
  readonly usage?: { readonly input: number; readonly output: number } | null;
}

/** A server with OpenAI's API of pictures, sound and text. */
export async function startOpenaiLike(script: OpenaiScript = {}): Promise<VendorServer<OpenaiRoute>> {
  const { pictures = 'base64', imageBytes = pngOf(), soundBytes = wavOf(), text = 'A lighthouse at dusk.' } = script;
  const { input, output } = script.usage ?? { input: 50, output: 1_000 };
  const isTold = script.usage !== null;
  const tokens = isTold ? { usage: { input_tokens: input, output_tokens: output, total_tokens: input + output } } : {};
  const usual = (route: OpenaiRoute, base: () => string): Turn => {
    if (route === 'file') return answersBytes('image/png', imageBytes);
    if (route === 'speech') return answersBytes('audio/wav', soundBytes);
    if (route === 'transcribe')
      return answersJson(200, { text, ...(isTold && { usage: { type: 'tokens', ...tokens.usage } }) });
    if (route === 'chat') {
      const choices = [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }];
      const whole = answersJson(200, {
        id: 'c-1',
        choices,
        ...(isTold && { usage: { prompt_tokens: input, completion_tokens: output } }),
      });
      const pieces = streams(chunksOf(text.split(/(?<= )/), isTold ? [input, output] : null));
      return (response, request) => (request.body?.stream === true ? pieces : whole)(response, request);
    }
    return (response, request) => {
      const base64 = imageBytes.toString('base64');
      const picture = (n: number) => (pictures === 'url' ? { url: `${base()}/files/${n}.png` } : { b64_json: base64 });
      const data = Array.from({ length: Number(request.body?.n ?? 1) }, (_, n) => picture(n));
      answersJson(200, { created: 1, data, ...tokens })(response, request);
    };
  };
  return await startVendor<OpenaiRoute>(routeOf, usual, script);
}

const routes: Readonly<Record<string, OpenaiRoute>> = {
  '/images/generations': 'generate',
  '/images/edits': 'edit',
  '/audio/speech': 'speech',
  '/audio/transcriptions': 'transcribe',
  '/chat/completions': 'chat',
};

function routeOf(method: string, path: string): OpenaiRoute | null {
  if (method === 'GET') return path.startsWith('/files/') ? 'file' : null;
  return routes[path] ?? null;
}
