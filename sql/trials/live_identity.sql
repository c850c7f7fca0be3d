-- live_identity: facts that change when a live database is loaded anew.
-- Grain:  one row.
-- Input:  ctgov.studies (run on the server).
-- Output: number of studies, newest update of a record, newest writing by AACT (texts).
SELECT
    count(*)::text,
    max(last_update_posted_date)::text,
    max(updated_at)::text
FROM ctgov.studies
