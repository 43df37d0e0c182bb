-- The picture that goes with a shared year (D91, D92), by its hash: a file among the images.
alter table shares add column picture_hash text check (length(picture_hash) = 32 and picture_hash not glob '*[^0-9a-f]*');
create index shares_picture on shares (picture_hash) where picture_hash is not null;

-- That of a former copy, which an undo brings back.
create index changes_share_picture on changes (before ->> 'picture_hash') where table_name = 'shares' and before is not null;
