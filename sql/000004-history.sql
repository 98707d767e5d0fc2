-- What the figures of the feed were, and when they were known: one row a symbol and instant.
-- Safe to run while the previous release serves: yes.
create table snapshots (
  symbol         text             not null,
  as_of          timestamptz      not null,
  -- when we could first have known it; a study uses no row before this
  knowledge_time timestamptz      not null,
  spot           double precision not null,
  -- as SNAPSHOT_FIGURES describes them
  figures        jsonb            not null,
  primary key (symbol, as_of)
) partition by range (as_of);

-- Makes the partition of the month of `instant` where it is missing. Two callers at once wait for each other.
create function make_snapshot_partition(instant timestamptz) returns void language plpgsql as $$
declare
  month timestamp := date_trunc('month', instant at time zone 'utc');
  part text := 'snapshots_' || to_char(month, 'YYYYMM');
begin
  if to_regclass(part) is not null then return; end if;
  perform pg_advisory_xact_lock(hashtextextended('make_snapshot_partition', 0));
  if to_regclass(part) is not null then return; end if;
  execute format('create table %I (like snapshots including defaults)', part);
  execute format('alter table snapshots attach partition %I for values from (%L) to (%L)',
    part, month at time zone 'utc', (month + interval '1 month') at time zone 'utc');
end $$;

-- Drops the monthly partitions whose every row is older than `keep`; answers how many.
create function drop_snapshot_partitions(keep interval) returns integer language plpgsql as $$
declare
  part text;
  dropped integer := 0;
begin
  for part in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'snapshots'::regclass and c.relname ~ '^snapshots_[0-9]{6}$'
      and (to_date(right(c.relname, 6), 'YYYYMM')::timestamp at time zone 'utc') + interval '1 month' < now() - keep
  loop
    execute format('drop table %I', part);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
