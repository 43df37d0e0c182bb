-- Requests to follow and reports are told, too (D118). The last index finds what was read long ago.
alter table notifications add column request_id integer references follow_requests (id) on delete cascade;
alter table notifications add column report_id integer references reports (id) on delete cascade;
create unique index notifications_request on notifications (request_id) where request_id is not null;
create index notifications_report on notifications (report_id) where report_id is not null;
create index notifications_read on notifications (read_at) where read_at is not null;
