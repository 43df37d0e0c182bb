-- Who made some works is counted from these indexes alone.
drop index casts_work_all;
create index casts_work_all on casts (work_id, character_id, person_id, hidden, withheld);

drop index staffs_work_all;
create index staffs_work_all on staffs (work_id, person_id, organization_id, role, role_other, hidden, withheld);
