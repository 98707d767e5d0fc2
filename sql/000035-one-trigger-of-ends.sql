-- The end of a job is noted by one trigger instead of four, and a unique key is given up after its row is written: a
-- trigger before the update fetches and locks each row once more. Each names the columns that its condition reads: without
-- them every update of a job, for a step, a claim or a feed, makes all conditions ready to be checked.
-- Safe to run while the previous release serves: yes; whatever statement ends a job, the same rows are written.

drop trigger jobs_unique_given_up on jobs;
create or replace function give_up_unique_key() returns trigger language plpgsql as $$
begin
  update jobs set unique_key = null where id = new.id;
  return null;
end $$;
create trigger jobs_unique_given_up after update of attempt, finished_at, unique_key, unique_while on jobs for each row
  when (new.unique_key is not null
    and (new.unique_while = 'queued' and new.attempt > 0 or new.unique_while <> 'forever' and new.finished_at is not null))
  execute function give_up_unique_key();

drop trigger jobs_child_ended on jobs;
drop trigger jobs_awaited_ended on jobs;
drop trigger jobs_flow_job_ended on jobs;
drop trigger jobs_flow_over on jobs;
drop function note_child_end(), note_awaited_end(), note_flow_end(), note_flow_over();

-- Whichever statement ends a job that others wait for, of this release or another. A plan that was made while few jobs
-- waited would walk them all later.
create function note_end() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if new.awaited then
    update dependencies set state = new.state where on_job = new.id and state is null;
    insert into due_dependents (job) select job from dependencies where on_job = new.id;
  end if;
  -- its parent; or one that asked for a child and was answered this job
  if new.awaited or new.parent_id is not null then
    insert into wakes (job) select job from waits where child = new.id;
  end if;
  if new.flow_item is not null then
    insert into flow_ends (flow, node, state) values (new.parent_id, new.flow_node, new.state);
  end if;
  if new.queue = 'flows.run' then
    insert into flow_ends (flow, state) values (new.id, new.state);
  end if;
  return null;
end $$;

create trigger jobs_ended after update of finished_at on jobs for each row
  when (old.finished_at is null and new.finished_at is not null
    and (new.awaited or new.parent_id is not null or new.flow_item is not null or new.queue = 'flows.run'))
  execute function note_end();

create or replace trigger jobs_wait_ended after update of state on jobs for each row
  when (old.state = 'waiting' and new.state <> 'waiting') execute function end_wait();
