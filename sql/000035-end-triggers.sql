-- Triggers on the end of a job are looked at by updates that set a column which their conditions read, and by no other.
-- Safe to run while the previous release serves: yes; the same updates fire the same triggers.
-- Without columns each update of a job, for a step, a claim or a feed, made the conditions of all of them ready to be checked.

create or replace trigger jobs_awaited_ended after update of finished_at on jobs for each row
  when (old.finished_at is null and new.finished_at is not null and new.awaited) execute function note_awaited_end();
create or replace trigger jobs_child_ended after update of finished_at on jobs for each row
  when (old.finished_at is null and new.finished_at is not null and new.parent_id is not null) execute function note_child_end();
create or replace trigger jobs_flow_job_ended after update of finished_at on jobs for each row
  when (old.finished_at is null and new.finished_at is not null and new.flow_item is not null) execute function note_flow_end();
create or replace trigger jobs_flow_over after update of finished_at on jobs for each row
  when (old.finished_at is null and new.finished_at is not null and new.queue = 'flows.run') execute function note_flow_over();
create or replace trigger jobs_unique_given_up before update of attempt, finished_at, unique_key, unique_while on jobs for each row
  when (new.unique_key is not null and (new.unique_while = 'queued' and new.attempt > 0
    or new.unique_while <> 'forever' and new.finished_at is not null)) execute function give_up_unique_key();
create or replace trigger jobs_wait_ended after update of state on jobs for each row
  when (old.state = 'waiting' and new.state <> 'waiting') execute function end_wait();
