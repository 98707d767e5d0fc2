import { sql } from 'slonik';
import Type from 'typebox';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { type Attest, openAttest } from './attest.ts';
import type { AnchorAccount } from './check-anchor.ts';

const accountRow = row(Type.Object({ chain: Type.String(), address: Type.String() }));

/** The accounts that this service anchors from, or has. */
export async function anchorAccounts({ db }: Pick<Context, 'db'>): Promise<readonly AnchorAccount[]> {
  return await db.any(sql.type(accountRow)`select chain, address from anchor_accounts order by chain, address`);
}

/** Checks receipts of this service with its own keys, accounts and chain. */
export const ownAttest = perContext(
  (context): Attest =>
    openAttest({
      context,
      accounts: () => anchorAccounts(context),
      rpcUrls: () => [context.config.ANCHOR_RPC_URL].filter((url) => url !== ''),
    }),
);
