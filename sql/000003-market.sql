-- Option chains, cleaned and packed, with the analytics computed from them.
-- Safe to run while the previous release serves: yes.
create table chains (
  id         uuid        primary key,
  symbol     text        not null,
  -- null: the configured feed, which everyone sees; an uploaded chain is its owner's alone
  owner      text,
  as_of      timestamptz not null,
  source     text        not null,
  -- of a generated market; a real chain in the feed ends the synthetic one of its symbol
  synthetic  boolean     not null,
  contracts  integer     not null,
  -- SHA-256 of `packed`: the same upload again is the same chain
  digest     bytea       not null,
  packed     bytea       not null,
  analytics  jsonb,
  -- whole answers of the routes by `section:generation`, just as they are sent
  answers    json,
  -- when it was last given to us; the newest is what its owner sees
  given_at   timestamptz not null default now()
);

-- Which chain of a symbol does this caller see?
create index chains_newest on chains (symbol, owner, given_at desc);
create unique index chains_same on chains (symbol, coalesce(owner, ''), digest);

-- What signed trades had left with the dealers on the morning of a symbol's newest day: what the next day carries on.
create table flow_mornings (
  symbol text primary key,
  date   date not null,
  -- as FlowState describes it
  state  json not null
);

-- Chain files of the feed's folder that were looked into: each version once.
create table feed_files (
  name     text        primary key,
  -- size and time of change
  version  text        not null,
  -- taken, unchanged, older, or the code of what was wrong with it
  outcome  text        not null,
  detail   text        not null,
  taken_at timestamptz not null default now()
);
