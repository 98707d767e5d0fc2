import { existsSync, mkdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { Hex } from 'viem';
import { bytesOfHex, prefixedHexOf } from '#src/lib/crypto/hex.ts';
import { AppError } from '#src/lib/errors.ts';
import { httpRpc, type Rpc } from '#src/lib/json-rpc.ts';
import { endLeftOver } from './left-over.ts';
import { type Miner, mineInTime } from './mine-in-time.ts';
import { choosePort } from './ports.ts';
import { programOnPath } from './programs.ts';
import { storedSecret } from './secrets.ts';
import { type ServerProcess, startServer } from './server-process.ts';

/** A private EVM chain for development. */
export interface PrivateChain extends ServerProcess {
  readonly url: string;
  /** CAIP-2. */
  readonly chain: string;
  /** Private key of an account with funds, the same at every start. */
  readonly key: Hex;
}

export interface AnvilOptions {
  /** Time between two blocks while there is something for them; 0 where the caller mines (tests). */
  readonly blockMs?: number;
  /** Number of blocks that a safe block is behind the newest; a final one is twice as many. */
  readonly depth?: number;
  /** True where the server must outlive a killed starter (tests of what the next start does). */
  readonly outlives?: boolean;
}

/** Seconds of blocks that a kill with -9 can cost; the outbox then anchors them again. */
const KEEP_SECONDS = 10;
const CHAIN_ID = 31_337;
/** Wei. */
const FUNDS = 10_000n * 10n ** 18n;

/**
 * Starts the private chain of this home on a free port of the loopback address; its blocks are kept. It mines on a timer,
 * but nothing while there is nothing to mine or to make final, so that an idle chain does not grow. It ends with this
 * process, also when that is killed. Undefined where this machine has no anvil: neither npm's nor one on the PATH.
 *
 * @throws AppError `unavailable` when it does not start.
 */
export async function startAnvil(
  home: string,
  say: (line: string) => void = () => {},
  { blockMs = 1_000, depth = 1, outlives }: AnvilOptions = {},
): Promise<PrivateChain | undefined> {
  const program = anvilProgram();
  if (program === undefined) {
    say(
      'no private chain here (npm package @foundry-rs/anvil, or anvil on the PATH): receipts stay unanchored; or set ANCHOR_RPC_URL',
    );
    return undefined;
  }
  mkdirSync(join(home, 'anvil'), { recursive: true, mode: 0o700 });
  const folder = realpathSync(join(home, 'anvil'));
  const state = join(folder, 'state.json');
  await endLeftOver(join(folder, 'pid'), state, 'SIGTERM');
  const start = () => run({ program, folder, state, depth, outlives });
  const { server, url } = await start().catch(async (error: unknown) => {
    if (!existsSync(state)) throw error;
    // a kill may have come while it was written
    renameSync(state, `${state}.unreadable`);
    say('the private chain could not read what it had kept, and begins anew');
    return await start();
  });
  writeFileSync(join(folder, 'pid'), `${server.pid}\n`);
  const chain = httpRpc(url);
  const key = storedSecret(home, 'anchor-key', () => prefixedHexOf(secp256k1.utils.randomSecretKey())) as Hex;
  const address = addressOf(key);
  if (BigInt(String(await chain.call('eth_getBalance', [address, 'latest']))) < FUNDS / 2n)
    await chain.call('anvil_setBalance', [address, `0x${FUNDS.toString(16)}`]);
  if (blockMs > 0) mineInTime(minerOf(chain), blockMs, depth, server.exited);
  return { ...server, url, chain: `eip155:${CHAIN_ID}`, key };
}

/** The account of a private key: the last 20 bytes of the hash of its public one. */
function addressOf(key: Hex): Hex {
  const [, ...point] = secp256k1.getPublicKey(bytesOfHex(key), false);
  return prefixedHexOf(keccak_256(Uint8Array.from(point)).slice(-20));
}

function minerOf({ call }: Rpc): Miner {
  return {
    getTxpoolStatus: async () => {
      const { pending } = (await call('txpool_status', [])) as { readonly pending: string };
      return { pending: Number(pending) };
    },
    mine: async ({ blocks }) => void (await call('anvil_mine', [`0x${blocks.toString(16)}`])),
    getBlockTransactionCount: async () => Number(await call('eth_getBlockTransactionCountByNumber', ['latest'])),
  };
}

/** npm's binary itself: its package needs no script to have run. */
function anvilProgram(): string | undefined {
  const machine = `${process.platform === 'win32' ? 'win32' : process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
  try {
    return createRequire(import.meta.url).resolve(`@foundry-rs/anvil-${machine}/bin/anvil`);
  } catch {
    return programOnPath(['anvil']);
  }
}

interface Run {
  readonly program: string;
  readonly folder: string;
  readonly state: string;
  readonly depth: number;
  readonly outlives: boolean | undefined;
}

async function run({ program, folder, state, depth, outlives }: Run): Promise<{ server: ServerProcess; url: string }> {
  for (let left = 5; ; left -= 1) {
    const port = await choosePort(join(folder, 'port'));
    const url = `http://127.0.0.1:${port}`;
    const where = ['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(CHAIN_ID), '--accounts', '1'];
    const files = ['--state', state, '--state-interval', String(KEEP_SECONDS)];
    try {
      const server = await startServer({
        name: 'chain',
        // quiet: it would write a line for every question
        argv: [program, ...where, ...files, '--slots-in-an-epoch', String(depth), '--no-mining', '--quiet'],
        env: { ...process.env, LC_ALL: 'C' },
        log: join(folder, 'server.log'),
        stopSignal: 'SIGTERM',
        outlives,
        isReady: () => answers(url),
      });
      return { server, url };
    } catch (error) {
      const portTaken = error instanceof AppError && /address.*in use/i.test(error.message);
      if (!portTaken || left === 0) throw error;
    }
  }
}

async function answers(url: string): Promise<boolean> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
  const headers = { 'content-type': 'application/json' };
  return await fetch(url, { method: 'POST', headers, body }).then(
    (answer) => answer.ok,
    () => false,
  );
}
