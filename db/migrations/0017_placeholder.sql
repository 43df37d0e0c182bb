-- Nothing: this number belongs to another change.

select 1;
