-- JSON of the follows and requests that a block ended, for its undo.
alter table blocks add column ended text check (json_valid(ended));
