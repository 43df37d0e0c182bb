-- Works whose lists of episodes are complete, as a person says: further estimates go.
create index works_complete on works (id) where list_state = 'complete';

-- What somebody changed by hand is needed, too.
drop trigger records_shrink_list;
drop trigger episodes_shrink_list;
drop view unneeded_episodes;

create view unneeded_episodes as
select episodes.id, episodes.work_id
from changes join episodes on episodes.id = row_id
where table_name = 'episodes' and left_because is not null
  and sort_number > ifnull((
    select max(sort_number) from episodes as e where e.work_id = episodes.work_id and (
      not exists (
        select 1 from changes
        where table_name = 'episodes' and left_because is not null and row_id = e.id)
      or e.owners <> '{}'
      or exists (select 1 from records where episode_id = e.id)
      or exists (select 1 from skips where episode_id = e.id)
      or exists (select 1 from programs where episode_id = e.id)
      or exists (select 1 from external_ids where kind = 'episode' and local_id = e.id))), -1);

create trigger records_shrink_list after delete on records when exists (
  select 1 from changes
  where table_name = 'episodes' and left_because is not null and row_id = old.episode_id)
begin
  delete from episodes where id in (select id from unneeded_episodes where work_id = old.work_id);
  delete from changes where table_name = 'episodes' and left_because is not null
    and not exists (select 1 from episodes where id = row_id);
end;

create trigger episodes_shrink_list after delete on episodes when exists (
  select 1 from changes where table_name = 'episodes' and left_because is not null)
begin
  delete from episodes where id in (select id from unneeded_episodes where work_id = old.work_id);
  delete from changes where table_name = 'episodes' and left_because is not null
    and not exists (select 1 from episodes where id = row_id);
end;
