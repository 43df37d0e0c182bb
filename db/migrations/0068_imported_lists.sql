-- Lists of the file that its user does not want: JSON of their names, '' for the favorites.
alter table list_imports add column leaves_out text not null default '[]' check (json_valid(leaves_out));
