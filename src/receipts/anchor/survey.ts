import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'slonik';
import Type from 'typebox';
import type { Hex } from 'viem';
import { bytesOfHex, prefixedHexOf } from '#src/lib/crypto/hex.ts';
import type { Context } from '#src/system/context.ts';
import type { EvmChain } from '#src/system/outside/evm-chain.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { firstBlockOf, lockNonce } from './accounts.ts';
import { IN_FLIGHT } from './decide.ts';
import { askPrice } from './sign.ts';

const accountRow = row(
  Type.Object({
    address: Type.Unsafe<Hex>({ type: 'string' }),
    genesis: Type.Unsafe<Buffer>({}),
    wasLow: Type.Boolean(),
  }),
);

/**
 * Looks at every account of the chain: what it can still pay, whether the chain has forgotten what was final, and
 * whether a nonce is left that no transaction will use, behind which everything would wait for ever.
 *
 * @throws AppError `unavailable`, or `invalid_configuration` when the endpoint is of another chain.
 */
export async function surveyAccounts(context: Context, chain: EvmChain): Promise<void> {
  await chain.check();
  const accounts = await context.db.any(sql.type(accountRow)`
    select address, genesis, coalesce(balance < anchor_price * ${context.config.ANCHOR_MIN_BALANCE}, false) as "wasLow"
    from anchor_accounts where chain = ${chain.id}`);
  for (const { address, genesis, wasLow } of accounts) {
    const [block, nonce] = await Promise.all([firstBlockOf(chain), chain.nonce(address, 'latest')]);
    await lookAgain(context, chain, { address, nonce, isOther: block !== prefixedHexOf(genesis), genesis: block });
    await fillNonces(context, chain.id, address, nonce);
    await weighBalance(context, chain, address, wasLow);
  }
}

/**
 * A chain that lost its state (a development chain whose file is gone, mostly) counts fewer transactions than are final
 * here, or begins with another block. What was final is looked at again then, and what is missing sent again: the
 * signed bytes are still good, because their nonces are unused once more.
 */
async function lookAgain(
  { db, log }: Context,
  chain: EvmChain,
  { address, nonce, isOther, genesis }: { address: Hex; nonce: number; isOther: boolean; genesis: Hex },
): Promise<void> {
  const { rowCount } = await db.query(sql.unsafe`
    update anchor_batches set status = 'included', revision = revision + 1, due_at = clock_timestamp()
    where chain = ${chain.id} and address = ${address} and status = 'finalized' and (${isOther} or nonce >= ${nonce})`);
  if (isOther) {
    await db.query(sql.unsafe`
      update anchor_accounts set genesis = ${sql.binary(Buffer.from(bytesOfHex(genesis)))}
      where chain = ${chain.id} and address = ${address}`);
  }
  if (rowCount > 0) {
    log.error(
      { chain: chain.id, address, batches: rowCount },
      `${chain.id} has lost ${rowCount} batches of anchors that were final; what is missing is anchored again`,
    );
  }
}

/**
 * Nonces that went to something else which the chain has lost: an empty transaction each, and no leaf is signed twice.
 */
async function fillNonces({ db, log }: Context, chain: string, address: Hex, used: number): Promise<void> {
  await db.transaction(async (tx) => {
    const next = await lockNonce(tx, chain, address);
    if (next <= used) return;
    const last = Math.min(next, used + IN_FLIGHT) - 1;
    const { rowCount } = await tx.query(sql.unsafe`
      insert into anchor_batches (id, status, size, chain, address, nonce)
      select id, 'new', 0, ${chain}, ${address}, n
      from unnest(${sql.array(
        Array.from({ length: last - used + 1 }, () => randomUUIDv7()),
        'uuid',
      )}) with ordinality as f (id, i) cross join lateral (select ${used}::bigint + i - 1 as n) as at
      where not exists (
        select from anchor_batches b where b.chain = ${chain} and b.address = ${address} and b.nonce = n and b.status <> 'void')
      on conflict (chain, address, nonce) do update set status = 'new', revision = anchor_batches.revision + 1, due_at = clock_timestamp()`);
    if (rowCount > 0) log.warn({ chain, address, nonces: rowCount }, 'unused nonces are filled');
  });
}

async function weighBalance(context: Context, chain: EvmChain, address: Hex, wasLow: boolean): Promise<void> {
  const { db, log, config } = context;
  const [balance, { gas, maxFee }] = await Promise.all([
    chain.balance(address),
    askPrice(context, chain, address, `0x${'ff'.repeat(32)}`),
  ]);
  const price = gas * maxFee;
  await db.query(sql.unsafe`
    update anchor_accounts set balance = ${String(balance)}::numeric, anchor_price = ${String(price)}::numeric, looked_at = now()
    where chain = ${chain.id} and address = ${address}`);
  const isLow = balance < price * BigInt(config.ANCHOR_MIN_BALANCE);
  if (isLow === wasLow) return;
  const left = price === 0n ? 'any number of' : String(balance / price);
  const facts = { chain: chain.id, address, balance: String(balance) };
  if (isLow) log.error(facts, `the account ${address} of ${chain.id} can pay for ${left} more anchors: send it funds`);
  else log.info(facts, `the account ${address} of ${chain.id} can pay for ${left} anchors again`);
}
