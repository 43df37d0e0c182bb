-- Full text of titles and names for substring search (D17), of works and of whatever else is shown. The text is folded and cut into
-- hexadecimal bigrams by src/catalogue/search.ts, the only module that reads or writes these tables; rowid is the id of
-- the row it finds. A bigram is eight digits: prefixes of four answer for a single character.

create virtual table works_search using fts5 (grams, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '4');
create virtual table characters_search using fts5 (grams, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '4');
create virtual table people_search using fts5 (grams, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '4');
create virtual table organizations_search using fts5 (grams, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '4');
create virtual table series_search using fts5 (grams, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '4');
