-- Question: which relations to other citations do the records state?
-- Grain:    one relation of one citation.
-- Inputs:   citations.
-- Output:   view said_relation(pmid, link_type, related_pmid, source_text).
-- Reference lists (Cites) are not relations; they stay in citations.cited_pmids.
CREATE OR REPLACE TEMP VIEW said_relation AS
WITH item AS (
    SELECT
        c.pmid,
        -- Repeats are dropped record by record: a DISTINCT over all would hold all.
        unnest(
            list_distinct(
                list_transform(
                    list_filter(
                        c.comments_corrections, lambda x: x.ref_type IS NOT NULL AND x.ref_type <> 'Cites'
                    ),
                    lambda x: {
                        'ref_type': x.ref_type, 'related_pmid': x.pmid, 'source_text': x.source
                    }
                )
            )
        ) AS item
    FROM citations AS c
    WHERE len(c.comments_corrections) > 0
)
SELECT
    pmid,
    -- CorrectedandRepublishedIn is the one RefType whose words are not all capitalised.
    lower(
        regexp_replace(
            replace(item.ref_type, 'andRepublished', 'AndRepublished'), '([a-z])([A-Z])', '\1_\2', 'g'
        )
    ) AS link_type,
    item.related_pmid,
    item.source_text
FROM item
