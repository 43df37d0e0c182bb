-- Printed from db/facts by `bun run triggers`, and not to be changed by hand.

drop trigger notifications_counts_insert;
drop trigger notifications_counts_delete;
drop trigger notifications_counts_update_user_id;
