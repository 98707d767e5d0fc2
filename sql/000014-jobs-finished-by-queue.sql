-- no transaction
-- What of a queue is old enough to forget, and how many of its jobs ended lately? Instead of jobs_finished.
-- Safe to run while the previous release serves: yes.
create index concurrently if not exists jobs_finished_by_queue on jobs (queue, finished_at) where finished_at is not null;
