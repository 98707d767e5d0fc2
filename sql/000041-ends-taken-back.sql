-- A job of a flow that is put back into its queue takes its end back from the counts of its node: else a job that was redriven
-- while its node runs is counted twice.
-- Safe to run while the previous release serves: yes; it counts what is taken back as one more end, until the node ends and
-- its jobs are counted themselves.

-- 1: the job has ended; -1: it has not any more
alter table flow_ends add column change smallint not null default 1 check (change in (-1, 1));

create function take_end_back() returns trigger language plpgsql as $$
begin
  insert into flow_ends (flow, node, state, change) values (new.parent_id, new.flow_node, old.state, -1);
  return null;
end $$;

create trigger jobs_end_taken_back after update of finished_at on jobs for each row
  when (old.finished_at is not null and new.finished_at is null and new.flow_item is not null)
  execute function take_end_back();
