-- What the search index keeps of each registered trial, in the fields of a citation.
-- Grain: one trial. Inputs: trials, trial_brief_summaries, trial_conditions, trial_keywords,
-- trial_interventions, trial_browse_conditions, trial_browse_interventions, trial_sponsors,
-- macros of index/macros.sql. Output: document (JSON by field; "pmid" holds the NCT number).
with conditions as (
    select nct_id, list(distinct name) as found from trial_conditions where name is not null group by all
), keywords as (
    select nct_id, list(distinct name) as found from trial_keywords where name is not null group by all
), interventions as (
    select nct_id, list(distinct name) as found from trial_interventions where name is not null group by all
), headings as (
    select nct_id, list(distinct mesh_term) as found
    from (select nct_id, mesh_term from trial_browse_conditions
          union all select nct_id, mesh_term from trial_browse_interventions)
    where mesh_term is not null group by all
), sponsors as (
    select nct_id, list(distinct name order by name) as found,
        min(name) filter (lead_or_collaborator = 'lead') as lead_sponsor
    from trial_sponsors where name is not null group by all
), summaries as (
    select nct_id, any_value(description) as said from trial_brief_summaries group by all
), joined as (
    select t.*, s.said, coalesce(c.found, []) as conditions, coalesce(k.found, []) as keywords,
        coalesce(i.found, []) as interventions,
        coalesce(p.found, []) as sponsors, p.lead_sponsor,
        list_distinct(coalesce(h.found, []) || ['Humans']) as headings,
        coalesce(t.start_date, t.study_first_posted_date) as begun
    from trials t
    left join summaries s using (nct_id)
    left join conditions c using (nct_id)
    left join keywords k using (nct_id)
    left join interventions i using (nct_id)
    left join headings h using (nct_id)
    left join sponsors p using (nct_id)
), worded as (
    select *,
        index_texts([brief_title, official_title, acronym]) as in_title,
        index_texts([said]) as in_abstract,
        index_texts(conditions || keywords) as in_more,
        index_texts(interventions || headings || [study_type, phase, allocation]) as in_terms,
        index_texts(sponsors) as in_names
    from joined
)
select to_json({
    pmid: [substr(nct_id, 4)::ubigint],
    year: case when begun is null then [] else [year(begun)] end,
    rank: [4],
    dp: index_date(begun),
    edat: index_date(study_first_posted_date),
    lr: index_date(last_update_posted_date),
    title: in_title,
    abstract: in_abstract,
    more: in_more,
    keywords: index_texts(keywords),
    terms: in_terms,
    names: in_names,
    whole: in_title || in_title || in_abstract || in_more || in_terms || in_names,
    gist: in_title || in_title || in_abstract || in_more || in_terms,
    code:
        ['si:' || lower(nct_id), 'la:eng', 'st:' || lower(coalesce(overall_status, 'unknown')),
         'si:clinicaltrials gov']
        || ['mn:' || index_fold(x) for x in headings]
        || ['m?:' || index_fold(x) for x in headings]
        || flatten([['ptn:' || x, 'pt?:' || x] for x in
            case when study_type ilike 'interventional' then ['clinical trial'] else [] end
            || case when allocation ilike 'randomized' then ['randomized controlled trial'] else [] end
            || case when study_type ilike 'observational%' then ['observational study'] else [] end])
        || ['nm:' || index_fold(x) for x in interventions]
        || case when said is null then [] else ['f:abstract'] end,
    card: [base64(encode(to_json({
        evidence_id: nct_id, pmid: null, pmcid: null, doi: null,
        title: coalesce(brief_title, official_title),
        authors: case when lead_sponsor is null then sponsors else [lead_sponsor] end,
        journal: 'ClinicalTrials.gov', year: year(begun), publication_types: []::varchar[],
        sample_size: enrollment, is_preprint: false, grade: null,
        grade_rationale: 'registered trial, not graded', abstract: said,
        source: 'clinicaltrials', nct_id: nct_id, overall_status: overall_status, phase: phase,
        study_type: study_type, enrollment_type: enrollment_type, conditions: conditions,
        interventions: interventions, has_results: coalesce(were_results_reported, false)
    })::varchar))]
})::varchar as document
from worded
where regexp_full_match(nct_id, 'NCT\d{8}')
