-- Queues are data: the contract of every queue, ours and those that others register.
-- Safe to run while the previous release serves: yes; it goes on with the queues that are compiled in.

-- The first part of a queue's name belongs to one owner, or to this product.
create table namespaces (
  name       text        primary key check (name ~ '^[a-z][a-z0-9-]{0,38}$'),
  -- null: ours, nobody registers in it
  owner      text,
  created_at timestamptz not null default now()
);

-- One row a version: a job keeps the version it was accepted under.
create table queues (
  name          text        not null check (name ~ '^[a-z][a-z0-9-]{0,38}\.[a-z][a-z0-9-]{0,59}$'),
  version       integer     not null check (version >= 1),
  namespace     text        not null references namespaces,
  contract      jsonb       not null,
  -- SHA-256 of the contract in its canonical form (RFC 8785), hexadecimal
  digest        text        not null,
  registered_by text        not null,
  registered_at timestamptz not null default now(),
  changed_at    timestamptz not null default now(),
  primary key (name, version),
  check (namespace = split_part(name, '.', 1))
);

-- What has this owner's namespace? (its bound)
create index queues_namespace on queues (namespace);

-- Rises with every change of a contract: what each process asks for every second.
create table queue_revision (
  only_one boolean primary key default true check (only_one),
  revision bigint  not null
);
insert into queue_revision (revision) values (1);

create function raise_queue_revision() returns trigger language plpgsql as $$
begin
  update queue_revision set revision = revision + 1;
  return null;
end $$;

create trigger queues_changed after insert or update or delete on queues
  for each statement execute function raise_queue_revision();
