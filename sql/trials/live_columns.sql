-- live_columns: which tables and columns a live AACT database has, and which may be read.
-- Grain:  one column of one table or view.
-- Input:  %(schema)s; PostgreSQL's own catalogue (run on the server).
-- Output: table, column, readable; in the tables' own order of columns.
SELECT
    c.relname,
    a.attname,
    has_schema_privilege(n.oid, 'USAGE') AND has_column_privilege(c.oid, a.attnum, 'SELECT')
FROM pg_catalog.pg_namespace AS n
JOIN pg_catalog.pg_class AS c ON c.relnamespace = n.oid AND c.relkind IN ('r', 'p', 'f', 'v', 'm')
JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE n.nspname = %(schema)s
ORDER BY c.relname, a.attnum
