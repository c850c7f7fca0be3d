-- Borders that cut the citations into about $parts ranges of equal size.
-- Grain: one row with an ascending list. Inputs: citations. Output: borders.
SELECT
    quantile_disc(pmid, list_transform(range(1, $parts), lambda i: i / $parts)) AS borders
FROM citations
