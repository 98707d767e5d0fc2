-- Responses of the platform: what was asked and answered, and the events of those that nobody waits for.
-- Safe to run while the previous release serves: yes.

-- One turn of a conversation; its id is its job's. What people and models say is `json`, which keeps every text as it is.
create table responses (
  id         uuid        primary key,
  owner      text        not null,
  background boolean     not null,
  -- the response that it goes on from
  previous   uuid,
  -- as it is shown from its beginning
  begun      json        not null,
  -- the items that were asked with
  input      json        not null,
  -- what a worker asks a provider; null where it runs in the process that was asked, and once it has ended
  work       json,
  -- as it is shown once it has ended by itself; null before, and where its job says how it ended
  ended      json,
  created_at timestamptz not null default now()
);

-- Which are old enough to be forgotten?
create index responses_age on responses (created_at);

-- What a response told, in order: its stream can be read again from any place.
create table response_events (
  response uuid    not null references responses on delete cascade,
  -- its `sequence_number`, dense from 0
  n        integer not null,
  event    json    not null,
  primary key (response, n)
);
