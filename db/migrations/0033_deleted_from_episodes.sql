-- Episodes whose records and skips were deleted by what can be undone: while it can, they are needed (src/library/undo).
create index changes_deleted_from on changes (cast(before ->> 'episode_id' as integer))
  where table_name in ('records', 'skips') and before is not null and after is null;
