-- A source may expect up to 2,000 episodes of a work: what a list of episodes may grow to.

alter table works add column expected integer check (expected between 0 and 2000);
update works set expected = episodes_estimate, version = version + 1 where episodes_estimate is not null;
alter table works drop column episodes_estimate;
alter table works rename column expected to episodes_estimate;
