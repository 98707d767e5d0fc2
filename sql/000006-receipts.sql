-- Sealed receipts, and the outbox that anchors their roots on a chain.
-- Safe to run while the previous release serves: yes.

create table receipts (
  -- the mission's id; of a studio execution, the job's
  id        uuid        primary key,
  owner     text        not null,
  kind      text        not null check (kind in ('mission', 'execution')),
  -- the receipt as it is given out, without `anchor`
  body      jsonb       not null,
  root      bytea       not null check (length(root) = 32),
  kid       text        not null,
  sealed_at timestamptz not null
);

-- Whose receipts, newest first?
create index receipts_owner on receipts (owner, sealed_at, id);

-- An account that anchors and does nothing else, so that its transactions are a public list without gaps.
create table anchor_accounts (
  -- CAIP-2
  chain        text        not null,
  -- lower case
  address      text        not null,
  -- the nonce of the next batch that is signed
  next_nonce   bigint      not null,
  -- block 0 as it was first seen: another one is another chain under the same id
  genesis      bytea       not null check (length(genesis) = 32),
  -- what the chain said last: wei, the price of one anchor in wei, and when
  balance      numeric,
  anchor_price numeric,
  looked_at    timestamptz,
  primary key (chain, address)
);

create table anchor_batches (
  id         uuid        primary key,
  -- the order in which auditors read them
  number     bigint      not null generated always as identity unique,
  status     text        not null
    check (status in ('new', 'signed', 'included', 'safe', 'finalized', 'void')),
  -- RFC 6962 over the roots of its leaves in their order; null: no leaves, it fills a nonce that nobody used
  root       bytea       check (length(root) = 32),
  size       integer     not null,
  -- none before it is signed
  chain      text,
  address    text,
  nonce      bigint,
  -- rises with every change: who decided by an older one changes nothing
  revision   integer     not null default 0,
  created_at timestamptz not null default now(),
  signed_at  timestamptz,
  -- since when the chain has it without a break
  included_at timestamptz,
  -- when it is looked at next
  due_at     timestamptz not null default now(),
  check ((status = 'new') or (chain is not null and address is not null and nonce is not null)),
  check ((size = 0) = (root is null)),
  unique (chain, address, nonce)
);

-- What is under way, and what is due?
create index anchor_batches_open on anchor_batches (due_at) where status not in ('finalized', 'void');

create table anchor_leaves (
  -- `receipt:<id>` or `manifest:<version>`
  leaf       text        primary key,
  root       bytea       not null check (length(root) = 32),
  created_at timestamptz not null default now(),
  -- null while it waits for a batch
  batch_id   uuid        references anchor_batches,
  -- from 0
  leaf_index integer,
  check ((batch_id is null) = (leaf_index is null)),
  unique (batch_id, leaf_index)
);

-- Which leaves wait, and since when?
create index anchor_leaves_waiting on anchor_leaves (created_at) where batch_id is null;

-- Every transaction that was ever signed for a batch, kept before it was sent. Whichever of them the chain has is right:
-- they carry the same root.
create table anchor_attempts (
  hash         bytea       primary key check (length(hash) = 32),
  batch_id     uuid        not null references anchor_batches,
  chain        text        not null,
  address      text        not null,
  nonce        bigint      not null,
  raw          bytea       not null,
  gas          bigint      not null,
  -- wei
  max_fee      numeric     not null,
  priority_fee numeric     not null,
  why          text        not null check (why in ('first', 'bump', 'nonce_taken')),
  at           timestamptz not null default now(),
  -- where the chain has it now; null: nowhere
  block_number bigint,
  block_hash   bytea       check (length(block_hash) = 32),
  block_time   timestamptz,
  gas_used     bigint,
  -- wei, with what a rollup charges for its data
  fee          numeric,
  -- how often the chain had it and then had it no more: a reorganisation, or a chain that lost its state
  lost         integer     not null default 0,
  check ((block_number is null) = (block_hash is null) and (block_number is null) = (block_time is null))
);

-- What was signed for a batch, in order?
create index anchor_attempts_batch on anchor_attempts (batch_id, at);
