-- live_newest: the day of the newest update among a live database's studies.
-- Grain:  one row.
-- Input:  ctgov.studies (run on the server).
-- Output: ISO date, null without studies.
SELECT to_char(max(last_update_posted_date), 'YYYY-MM-DD') FROM ctgov.studies
