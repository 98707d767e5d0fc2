import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { type Printing, print, withJson } from '#src/commands/terminal/print.ts';
import { AppError } from '#src/lib/errors.ts';
import { httpRpc } from '#src/lib/json-rpc.ts';
import { parseReceipt, parseStrict } from '#src/receipts/verify/parse-strict.ts';
import { accountsIn, trustPaths } from '#src/receipts/verify/read-trust.ts';
import { type Attestation, type Trust, verifyReceipt } from '#src/receipts/verify/verify.ts';

const help = `
Believes what is in the files; with --url it also fetches those that no option names from that service, with --rpc the
anchors of the manifest among them. Asks the chain only through --rpc, and several endpoints must agree. Without --rpc nothing leaves this machine but what --url fetches,
and the anchor is not-checked at best.

Examples:
  $ npm run proofline -- verify receipt.json --url https://proofline.example --rpc https://chain.example
  $ npm run proofline -- verify receipt.json --jwks jwks.json --manifest seal-manifest.json --anchors anchor-accounts.json
  $ curl -s https://proofline.example/api/v1/receipts/ID | npm run -s proofline -- verify - --id ID --url https://proofline.example

Exit codes: 0 all three counts pass; 1 one fails; 2 wrong use, or a count is pending or could not be checked.`;

interface Options extends Printing {
  readonly id?: string;
  readonly rpc?: string[];
  readonly jwks?: string;
  readonly manifest?: string;
  readonly anchors?: string;
  readonly manifestAnchors?: string;
  readonly url?: string;
}

export function verifyCommand(): Command {
  return withJson(
    new Command('verify').description(
      'check a receipt: whether it is whole, who sealed it, and whether the chain holds it',
    ),
  )
    .argument('<file>', 'the receipt, as the API gives it; - for standard input')
    .option('--id <id>', 'the receipt that was requested: a receipt of another id fails, however whole it is')
    .option('--rpc <url...>', 'Ethereum JSON-RPC endpoints of the chain it is anchored on')
    .option('--jwks <file>', 'public keys (a JSON Web Key Set)')
    .option('--manifest <file>', 'key manifest')
    .option('--anchors <file>', 'accounts that anchor')
    .option('--manifest-anchors <file>', 'where the chain has each version of the manifest: checks that as well')
    .option(
      '--url <address>',
      'service to fetch keys, manifest, accounts and, with --rpc, the anchors of the manifest from where no file is given',
    )
    .addHelpText('after', help)
    .action(async (file: string, options: Options) => {
      const receipt = parsed(await readText(file), file, parseReceipt);
      const attestation = await verifyReceipt(receipt, await trustOf(options));
      print(options, attestation, () => describe(attestation));
      process.exitCode = exitCodeOf(attestation);
    });
}

async function trustOf({ id, rpc = [], jwks, manifest, anchors, manifestAnchors, url }: Options): Promise<Trust> {
  const [keys, lives, accounts] = await Promise.all([
    document(jwks, url, trustPaths.jwks),
    document(manifest, url, trustPaths.manifest),
    document(anchors, url, trustPaths.anchors),
  ]);
  const list = accounts === null ? null : readAccounts(accounts, anchors ?? trustPaths.anchors);
  const endpoints = rpc.map((one) => httpRpc(addressOf('--rpc', one).href));
  const requested = id === undefined ? {} : { requestedId: id.toLowerCase() };
  const trust = { jwks: keys, manifest: lives, anchors: list, rpc: endpoints, ...requested };
  // without a chain to ask they could only be called not checked
  const known = manifestAnchors !== undefined || (url !== undefined && rpc.length > 0);
  if (!known) return trust;
  return { ...trust, manifestAnchors: await document(manifestAnchors, url, trustPaths.manifestAnchors) };
}

function readAccounts(value: unknown, source: string) {
  try {
    return accountsIn(value);
  } catch (error) {
    throw wrongUse(`${source}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** From the file, else from the service, else null: not known. */
async function document(file: string | undefined, url: string | undefined, path: string): Promise<unknown> {
  if (file !== undefined) return parsed(await readText(file), file, parseStrict);
  if (url === undefined) return null;
  const address = new URL(path, addressOf('--url', url));
  const response = await fetch(address, { signal: AbortSignal.timeout(10_000) }).catch((error: unknown) => {
    throw wrongUse(`${address.href}: expected an answer, got none (${String(error)}).`);
  });
  if (!response.ok) throw wrongUse(`${address.href}: expected status 200, got ${response.status}.`);
  return parsed(await response.text(), address.href, parseStrict);
}

async function readText(file: string): Promise<string> {
  if (file === '-') return await text(process.stdin);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw wrongUse(
      `${file}: expected a file that can be read, got none (${error instanceof Error ? error.message : 'unknown'}).`,
    );
  }
}

function parsed(content: string, source: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(content);
  } catch (error) {
    throw wrongUse(`${source}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function addressOf(option: string, value: string): URL {
  const address = URL.parse(value);
  if (address && /^https?:$/.test(address.protocol)) return address;
  throw wrongUse(`${option}: expected an address that starts with https:// or http://, got ${JSON.stringify(value)}.`);
}

const wrongUse = (message: string): AppError => new AppError('invalid_request', message);

/** 0 all pass; 1 a count fails; 2 nothing fails, but something is pending or could not be checked. */
function exitCodeOf({ integrity, authenticity, anchor }: Attestation): number {
  const verdicts = [integrity, authenticity, anchor].map(({ verdict }) => verdict);
  if (verdicts.includes('fail')) return 1;
  return verdicts.every((verdict) => verdict === 'pass') ? 0 : 2;
}

function describe(attestation: Attestation): string {
  const lines = Object.entries(attestation).flatMap(([name, { verdict, reason, checks }]) => [
    `${name.padEnd(17)} ${verdict.padEnd(12)} ${reason}`,
    ...checks.map(
      (check: Attestation['anchor']['checks'][number]) =>
        `  ${check.name.padEnd(15)} ${check.verdict.padEnd(12)} ${check.reason}`,
    ),
  ]);
  return `${lines.join('\n')}\n`;
}
