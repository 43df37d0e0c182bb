-- Full-text indexes of titles and names for substring search (D17): of all works, and of the other rows that are shown.
-- src/catalogue/search.ts, the only module that reads or writes these tables, folds the text and cuts it into hexadecimal
-- bigrams; rowid is the id of the row. A bigram has eight digits, and its prefix of four finds a single character.

create virtual table works_search using fts5 (grams, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '4');
create virtual table characters_search using fts5 (grams, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '4');
create virtual table people_search using fts5 (grams, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '4');
create virtual table organizations_search using fts5 (grams, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '4');
create virtual table series_search using fts5 (grams, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '4');
