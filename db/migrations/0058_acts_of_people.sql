-- Whom an act is about, who may be gone: then `work_id` is 0 (D120).
alter table acts add column other_id integer;
-- What a block ended is among the changes of its act.
alter table blocks drop column ended;
-- Withdrawn after it was declined, which whoever asked does not know: it stays, so that the decline holds (D76).
alter table follow_requests add column withdrawn_at integer;
