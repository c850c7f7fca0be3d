-- Relations that the day's records state.
-- Grain: one relation. Input: said_relation of links/relation.sql. Output: the same, computed once.
FROM said_relation
