-- How long an episode or the film is (D90); null while nobody knows.
alter table works add column minutes integer check (minutes between 1 and 600);
