-- Lists count their rows when they are asked for, and read far pages by `offset` from the nearer end: SQLite passes an index
-- entry in 5 ns, while what counted rows by block, key and likes, and the indexes in every order, cost each write twice
-- what the write itself does.

drop view row_count_likes;
drop view row_count_splits;
drop view row_count_steps;
drop table row_counts;

drop index records_likes;
drop index records_likes_desc;
drop index records_comment;
drop index records_comment_likes;
drop index records_comment_likes_desc;
drop index records_episode_liked;
drop index records_user_liked;

-- To pass over rows without reading them.
create index records_keys on records (id, likes_count, has_comment);
create index records_commented on records (id, likes_count) where comment <> '';
-- Most rows have no likes: lists by likes take the others from here. A new record costs nothing in these.
create index records_liked on records (likes_count, id, has_comment) where likes_count > 0;
create index records_liked_desc on records (likes_count desc, id, has_comment) where likes_count > 0;

drop index reviews_likes;
drop index reviews_likes_desc;
drop index reviews_body;
drop index reviews_body_likes;
drop index reviews_body_likes_desc;
drop index reviews_work_liked;
drop index reviews_user_liked;

create index reviews_bodied on reviews (id, likes_count) where body <> '';
create index reviews_liked on reviews (likes_count, id, has_body) where likes_count > 0;
create index reviews_liked_desc on reviews (likes_count desc, id, has_body) where likes_count > 0;

-- Rows that no list shows, which are few: lists take their number from that of all rows.
drop index casts_withheld;
drop index staffs_withheld;
create index casts_unlisted on casts (id) where hidden <> 0 or withheld <> 0;
create index staffs_unlisted on staffs (id) where hidden <> 0 or withheld <> 0;
