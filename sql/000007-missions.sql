-- Missions: a goal, its plan, the steps that ran as jobs, and the chain of events that the receipt seals.
-- Safe to run while the previous release serves: yes.

create table missions (
  id              uuid        primary key,
  owner           text        not null,
  -- the verified human whose key asked for it: the only one who can satisfy its human steps
  human           text        not null,
  -- private content: only salted hashes of goal and plan ever leave
  goal            text        not null,
  inputs          jsonb       not null,
  plan            jsonb       not null,
  -- makes hashes of private content worth nothing to a guesser; erasing it erases what they prove
  salt            bytea       not null check (length(salt) = 32),
  state           text        not null
    check (state in ('planned', 'awaiting_human', 'executing', 'sealing', 'sealed', 'failed', 'cancelled')),
  -- millionths of a dollar; null means no bound
  budget          bigint,
  spent           bigint      not null default 0,
  -- how long it may run once it executes
  timeout_s       integer     not null,
  deadline_at     timestamptz,
  genesis         text        not null,
  head            text        not null,
  -- number of events in the chain, and of all events that its stream has told
  chained         integer     not null,
  events          integer     not null,
  error           jsonb,
  idempotency_key text,
  request_hash    bytea       not null,
  created_at      timestamptz not null,
  executed_at     timestamptz,
  finished_at     timestamptz,
  sealed_at       timestamptz,
  -- when the last event was told: its receipt is anchored, or there will be none
  closed_at       timestamptz
);

-- Has this owner asked for this before?
create unique index missions_idempotency on missions (owner, idempotency_key) where idempotency_key is not null;
-- Whose missions, newest first?
create index missions_owner on missions (owner, id);
-- What is under way, or over and not sealed?
create index missions_live on missions (state, id) where sealed_at is null and executed_at is not null;
-- What is over and not yet told to the end?
create index missions_unclosed on missions (id) where closed_at is null and finished_at is not null;

create table mission_steps (
  mission     uuid        not null references missions,
  step        text        not null,
  position    smallint    not null,
  state       text        not null check (state in
    ('waiting', 'awaiting_human', 'approved', 'running', 'succeeded', 'failed', 'cancelled', 'skipped')),
  -- with every reference replaced by what it stands for; null until then
  input       jsonb,
  -- SHA-256 of exactly what will be done, as the human was shown it
  effect      text,
  -- what the human is asked, and until when
  challenge   jsonb,
  job         uuid,
  output      jsonb,
  -- characters of the output as JSON: what a mission holds is bounded in all
  output_length integer,
  output_hash text,
  -- the decision of a human, as the receipt tells it
  human       jsonb,
  error       jsonb,
  started_at  timestamptz,
  finished_at timestamptz,
  primary key (mission, step)
);

-- Which steps of missions under way wait for a job?
create index mission_steps_running on mission_steps (job) where state = 'running';

-- `seq` from 0. Events without a hash came after the chain was closed: that it was sealed, that it is anchored.
create table mission_events (
  mission uuid        not null references missions,
  seq     integer     not null,
  type    text        not null,
  at      text        not null,
  data    jsonb       not null,
  prev    text,
  hash    text,
  primary key (mission, seq)
);
