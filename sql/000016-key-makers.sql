-- Which key made a key: a key may change or revoke those that it made.
-- Safe to run while the previous release serves: yes; keys that it makes from keys have no maker.

-- Null for a key that an operator, a signed-in person or a proof of personhood made, and for those from before.
alter table keys add column made_by uuid references keys (id);
