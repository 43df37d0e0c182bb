-- What one does not want to be told of here: words of `noticeKinds` with commas between them.
alter table users add column not_here text not null default '';
