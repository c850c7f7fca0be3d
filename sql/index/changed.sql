-- The citations that a daily update of the search index writes anew.
-- Grain: one citation. Inputs: citations, index_changed(pmid). Output: view index_citations.
create or replace temporary view index_citations as
select * from citations semi join index_changed using (pmid);
