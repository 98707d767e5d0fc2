import { createTestClient, type Hex, http, publicActions, walletActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { type PrivateChain, startAnvil } from '#src/system/embedded/anvil.ts';
import { testFolder } from '#test/helpers/processes.ts';

/** Everything a test does to its chain. */
export const chainClient = (url: string, key: Hex) =>
  createTestClient({
    mode: 'anvil',
    chain: foundry,
    transport: http(url, { retryCount: 0 }),
    // the newest block is requested, not remembered
    cacheTime: 0,
    account: privateKeyToAccount(key),
  })
    .extend(publicActions)
    .extend(walletActions);

export interface TestChain extends AsyncDisposable {
  readonly anvil: PrivateChain;
  readonly client: ReturnType<typeof chainClient>;
  /** Environment that anchors on it at once, and looks often. */
  readonly settings: Readonly<Record<string, string>>;
}

/** A chain of its own that mines when the test says so, or every `blockMs`; gone when disposed. */
export async function testChain({ blockMs = 0, depth = 1 } = {}): Promise<TestChain> {
  const folder = testFolder();
  const anvil = await startAnvil(folder.path, () => {}, { blockMs, depth });
  if (!anvil) throw new Error('expected npm’s anvil or one on the PATH, got none');
  return {
    anvil,
    client: chainClient(anvil.url, anvil.key),
    settings: {
      ANCHOR_RPC_URL: anvil.url,
      ANCHOR_KEY: anvil.key,
      ANCHOR_CHAIN: anvil.chain,
      ANCHOR_IDLE_MS: '0',
      ANCHOR_POLL_MS: '20',
      ANCHOR_BUMP_MS: '3600000',
    },
    [Symbol.asyncDispose]: async () => {
      await anvil.stop();
      folder[Symbol.dispose]();
    },
  };
}
