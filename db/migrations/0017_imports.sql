-- An import in progress: its file was judged as a whole and is being applied in short transactions. The row and the
-- file's blocks go with the last of them; what is found at a start was interrupted and goes on.

create table imports (
  -- one at a time
  id integer primary key check (id = 1),
  -- what the command asked for, and in which order lines that depend on later ones are taken; JSON
  plan text not null
) strict;

-- The lines of its file, packed by zstd.
create table import_blocks (
  first_line integer primary key,
  content blob not null
) strict;

-- What was merged into a row.
create index redirects_to on redirects (kind, to_id);

-- A line without a known name is compared with the rows of its work: these answer without reading all of them, however
-- many there are.
drop index episodes_work_all;
create index episodes_work_all on episodes (work_id, number);
create index episodes_work_place on episodes (work_id, sort_number);
drop index programs_slot;
create index programs_slot on programs (channel_id, started_at, episode_id, work_id);
drop index staffs_work_all;
create index staffs_work_all on staffs (work_id, person_id, organization_id, role, role_other);
