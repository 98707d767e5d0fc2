import { type CommonQueryMethods, sql } from 'slonik';
import Type from 'typebox';
import type { Hex } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { bytesOfHex } from '#src/lib/crypto/hex.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import type { EvmChain } from '#src/system/outside/evm-chain.ts';
import { perContext } from '#src/system/per-context.ts';
import { row } from '#src/system/postgres/postgres.ts';

/**
 * The account of the settings, which signs.
 *
 * @throws AppError `invalid_configuration` when no key is set.
 */
export const openSigner = perContext(async ({ config }: Context): Promise<PrivateKeyAccount> => {
  if (config.ANCHOR_KEY === '') {
    throw new AppError(
      'invalid_configuration',
      'ANCHOR_KEY: expected the private key of an account that anchors on the chain behind ANCHOR_RPC_URL, got none.',
      { variable: 'ANCHOR_KEY' },
    );
  }
  // large, and of no use before there is something to sign
  const { privateKeyToAccount } = await import('viem/accounts');
  // viem's hexadecimal is any case; the settings have checked it
  return privateKeyToAccount(config.ANCHOR_KEY as Hex);
});

/** Returns the stored form of an account's address. */
export const addressOf = (account: PrivateKeyAccount): Hex => account.address.toLowerCase() as Hex;

/** Makes the account's row unless there is one. Its first nonce is what the chain counts at this moment. */
export async function ensureAccount(db: CommonQueryMethods, chain: EvmChain, address: Hex): Promise<void> {
  const known = await db.maybeOneFirst(sql.type(row(Type.Object({ address: Type.String() })))`
    select address from anchor_accounts where chain = ${chain.id} and address = ${address}`);
  if (known !== null) return;
  const [genesis, nonce] = await Promise.all([firstBlockOf(chain), chain.nonce(address, 'latest')]);
  await db.query(sql.unsafe`
    insert into anchor_accounts (chain, address, next_nonce, genesis)
    values (${chain.id}, ${address}, ${nonce}, ${sql.binary(Buffer.from(bytesOfHex(genesis)))})
    on conflict do nothing`);
}

/** Hash of block 0. @throws AppError `unavailable` when the endpoint has none. */
export async function firstBlockOf(chain: EvmChain): Promise<Hex> {
  const block = await chain.block(0);
  if (block) return block.hash;
  throw new AppError('unavailable', `The endpoint of ${chain.id} has no block 0; it is asked again.`, {
    chain: chain.id,
  });
}

const nonceRow = row(Type.Object({ next: Type.Integer() }));

/** Returns the account's next nonce, and locks it: no other transaction gets one before this one ends. */
export async function lockNonce(tx: CommonQueryMethods, chain: string, address: Hex): Promise<number> {
  return await tx.oneFirst(sql.type(nonceRow)`
    select next_nonce as next from anchor_accounts where chain = ${chain} and address = ${address} for update`);
}
