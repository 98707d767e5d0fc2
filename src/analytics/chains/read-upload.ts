import { isUtf8 } from 'node:buffer';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { marketSymbol, SymbolText } from '#src/analytics/answers/symbol-params.ts';
import type { Chain } from '#src/analytics/domain/chain/chain.ts';
import { cleanChain } from '#src/analytics/domain/chain/clean-chain.ts';
import { readCboeJson } from '#src/analytics/domain/chain/read-cboe-json.ts';
import { readChain } from '#src/analytics/domain/chain/read-chain.ts';
import { AppError } from '#src/lib/errors.ts';

/** Body of `POST /v1/snapshot`. */
export const SnapshotRequest = Type.Object(
  {
    symbol: SymbolText,
    chain: Type.Optional(
      Type.Union([Type.Object({}, { additionalProperties: true }), Type.String({ minLength: 1 })], {
        description:
          'A chain as Cboe gives it: the delayed-quotes JSON as an object, or the website’s CSV as text. Without it the chain that is stored for you, or the configured feed, is used',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'An option chain to analyse, or the symbol whose stored chain is wanted',
  },
);
type SnapshotRequest = Static<typeof SnapshotRequest>;

const check = Compile(SnapshotRequest);

export interface Upload {
  /** Bytes of the body; shared, so that handing them to a thread copies nothing. */
  readonly body: Uint8Array<SharedArrayBuffer>;
  readonly isCsv: boolean;
  /** The symbol of the query string; a CSV body has no other place for it, another one must agree. */
  readonly symbol: string | null;
}

/**
 * Reads, checks and cleans an uploaded body. `chain` is null where the body names a symbol alone.
 *
 * @throws AppError `malformed_body`, `invalid_request` (what is wrong where), `unknown_symbol`, or `invalid_chain`.
 */
export function readUpload({ body, isCsv, symbol }: Upload): { readonly symbol: string; readonly chain: Chain | null } {
  const bytes = Buffer.from(body);
  if (!isUtf8(bytes)) throw new AppError('malformed_body', 'expected a body in UTF-8, got bytes that are not.');
  const text = bytes.toString('utf8');
  if (isCsv) {
    const name = marketSymbol(symbol ?? '');
    return { symbol: name, chain: cleanChain(readChain(text, name)) };
  }
  const request = parse(text);
  const name = marketSymbol(request.symbol);
  if (symbol !== null && symbol.toUpperCase() !== name) throw twoSymbols(symbol, name);
  if (request.chain === undefined) return { symbol: name, chain: null };
  const raw = typeof request.chain === 'string' ? readChain(request.chain, name) : readCboeJson(request.chain, name);
  return { symbol: name, chain: cleanChain(raw) };
}

function parse(text: string): SnapshotRequest {
  let request: unknown;
  try {
    request = JSON.parse(text);
  } catch (error) {
    throw new AppError(
      'malformed_body',
      `expected a JSON object, got text that is not JSON (${error instanceof Error ? error.message.slice(0, 120) : 'unreadable'}).`,
      {},
      error,
    );
  }
  if (check.Check(request)) return request;
  throw fault(request);
}

/** The first thing that is wrong with the envelope, as a sentence. */
function fault(request: unknown): AppError {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    return new AppError('invalid_request', `expected a JSON object with symbol and chain, got ${kindOf(request)}.`);
  }
  const fields = request as Record<string, unknown>;
  const unknown = Object.keys(fields).find((name) => name !== 'symbol' && name !== 'chain');
  if (unknown !== undefined) return wrong(unknown, 'no such property (there are symbol and chain)', fields[unknown]);
  if (typeof fields['symbol'] !== 'string' || fields['symbol'].length === 0 || fields['symbol'].length > 10) {
    return wrong('symbol', 'a symbol such as "SPX"', fields['symbol']);
  }
  return wrong('chain', 'Cboe’s delayed-quotes JSON as an object, or its CSV as text', fields['chain']);
}

function twoSymbols(query: string, body: string): AppError {
  const message = `query.symbol: expected ${body}, as the body says, or none, got ${JSON.stringify(query)}.`;
  return new AppError('invalid_request', message, { field: 'query.symbol', value: query });
}

function wrong(field: string, expected: string, value: unknown): AppError {
  const shown =
    typeof value === 'string' || typeof value === 'number' ? JSON.stringify(value).slice(0, 80) : kindOf(value);
  const message = `body.${field}: expected ${expected}, got ${shown}.`;
  return new AppError('invalid_request', message, {
    errors: [{ field: `body.${field}`, message, value: shown }],
  });
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`;
}
