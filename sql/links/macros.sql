-- What probable pairs compare of two records; the same for the stored keys and for the test.
-- Grain: one value. Inputs: a record's authors, its title. Output: temporary macros.
-- 'Smith JA' and 'Smith J' are one author here.
CREATE OR REPLACE TEMP MACRO pair_author(authors) AS
    regexp_extract(lower(strip_accents(authors[1])), '^(.* [a-z])[a-z]*$', 1);
CREATE OR REPLACE TEMP MACRO pair_words(title) AS
    list_distinct(regexp_extract_all(lower(strip_accents(title)), '[a-z0-9]+'));
-- MD5, because DuckDB's own hash may change with its version and keys are stored.
CREATE OR REPLACE TEMP MACRO pair_key(author, word) AS
    (md5_number_lower(author || ' ' || word) % 2147483647)::INTEGER;
