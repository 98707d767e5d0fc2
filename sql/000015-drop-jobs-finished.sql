-- no transaction
-- jobs_finished_by_queue answers what it was for.
-- Safe to run while the previous release serves: yes, but its figures of queues and its retention read more rows.
drop index concurrently if exists jobs_finished;
