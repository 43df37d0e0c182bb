-- A number from 1 to 100 beside the word of a rating (D87). What clients of Annict sent as `rating`, from 0 to 5, is the same number.
alter table records add column score integer check (score between 1 and 100);
alter table reviews add column score integer check (score between 1 and 100);

-- With the version, which a trigger would raise once more for each row.
update records set score = round(rating * 20), version = version + 1 where rating >= 0.025;

-- What an undo brings back.
update changes set before = json_set(before, '$.score', cast(round((before ->> 'rating') * 20) as integer))
where table_name = 'records' and before ->> 'rating' >= 0.025;
update changes set after = json_set(after, '$.score', cast(round((after ->> 'rating') * 20) as integer))
where table_name = 'records' and after ->> 'rating' >= 0.025;

-- A fourth way of showing ratings. A check cannot be altered: another column takes the place of this one.
alter table users add column rating_shown text not null default 'words'
  check (rating_shown in ('words', 'stars', 'ten', 'hundred'));
update users set rating_shown = rating_display, version = version + 1 where rating_display <> 'words';
alter table users drop column rating_display;
alter table users rename column rating_shown to rating_display;
