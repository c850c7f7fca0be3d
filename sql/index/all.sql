-- Every citation, for a full build of the search index.
-- Grain: one citation. Input: citations. Output: view index_citations, the columns of citations.
create or replace temporary view index_citations as select * from citations;
