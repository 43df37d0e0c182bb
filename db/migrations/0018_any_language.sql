-- A language of the pages by its tag; null: as the browser asks. Which there are is for src/messages/languages.ts to say,
-- so that one more needs no migration.
alter table users rename column language to former_language;
alter table users add column language text;
update users set language = former_language where former_language is not null;
alter table users drop column former_language;
