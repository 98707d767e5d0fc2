-- Payloads and results that are too large for their row lie in the artefact storage; the row names them.
-- Safe to run while the previous release serves: yes; what it writes lies in its row.

alter table jobs
  -- {"sha256": …, "size": bytes of its JSON text}; null: it lies in the row
  add column payload_content jsonb,
  add column result_content  jsonb;

-- Every content that was stored for a job. None is shared: each begins with a text of its own.
create table job_contents (
  sha256  bytea       primary key check (length(sha256) = 32),
  job     uuid        not null,
  -- when to remove it unless its job names it; null: its job does
  look_at timestamptz default now() + interval '1 hour'
);

-- What goes with a job?
create index job_contents_job on job_contents (job);
-- What may nobody need?
create index job_contents_due on job_contents (look_at) where look_at is not null;
