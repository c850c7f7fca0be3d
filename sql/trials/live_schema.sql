-- live_schema: whether a server has a schema, and what is in it.
-- Grain:  one row when the schema is there, none when not.
-- Input:  %(schema)s; PostgreSQL's own catalogue (run on the server).
-- Output: number of its tables and views.
SELECT (
    SELECT count(*) FROM pg_catalog.pg_class AS c
    WHERE c.relnamespace = n.oid AND c.relkind IN ('r', 'p', 'f', 'v', 'm')
)
FROM pg_catalog.pg_namespace AS n
WHERE n.nspname = %(schema)s
