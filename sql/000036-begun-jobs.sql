-- A job that has begun does not expire, whatever brings it back into its queue: a retry, a lost worker, a wait, a redrive.
-- Safe to run while the previous release serves: yes; the trigger does its part.

-- Whichever statement begins a job: its time limit was for its beginning. After the update, since a trigger before it fetches
-- and locks each row once more.
create function give_up_expiry() returns trigger language plpgsql as $$
begin
  update jobs set expires_at = null where id = new.id;
  return null;
end $$;

create trigger jobs_expiry_given_up after update of attempt on jobs for each row
  when (new.expires_at is not null and new.attempt > old.attempt)
  execute function give_up_expiry();

-- Jobs that have begun already.
update jobs set expires_at = null where expires_at is not null and attempt > 0 and finished_at is null;
