-- When the password was set, shown to its owner; null if there is none, or it is older than this column.
alter table users add column password_set_at integer;
