-- What the search index keeps of each citation.
-- Grain: one citation of index_citations with $low <= pmid < $high.
-- Inputs: index_citations (citations, all or the changed ones), graded, macros of index/macros.sql.
-- Output: pmid, document (JSON by field of etl/store/index_fields.py; absent values are empty lists).
with graded_part as (
    select * from graded where pmid >= $low and pmid < $high
), headed as (
    select c.*, [h for h in c.mesh_terms if h.name is not null] as headings
    from index_citations c
    where c.pmid >= $low and c.pmid < $high
), paired as (
    select h.*,
        flatten([[{ui: d.ui, name: index_fold(d.name), qualifier: index_fold(q.name), said: q.name,
                   major: coalesce(q.major, false) or coalesce(d.major, false)}
                  for q in d.qualifiers] for d in headings if d.qualifiers is not null]) as pairs,
        [{ui: d.ui, name: index_fold(d.name),
          major: coalesce(d.major, false)
                 or len([1 for q in coalesce(d.qualifiers, []) if q.major]) > 0}
         for d in headings] as folded,
        [{name: index_fold(t), ui: publication_type_uis[i]}
         for t, i in publication_types] as types
    from headed h
), worded as (
    select *,
        index_texts([title, book_title]) as in_title,
        index_texts([abstract]) as in_abstract,
        index_texts([o.text for o in other_abstracts] || keywords) as in_more,
        index_texts(
            [d.name for d in headings] || list_distinct([r.said for r in pairs])
            || publication_types || [s.name for s in supplementary_concepts]
            || list_distinct([s.name for s in chemicals]) || gene_symbols) as in_terms,
        index_texts(authors || investigators || [journal, journal_abbreviation]) as in_names
    from paired
)
select
    p.pmid,
    to_json({
        pmid: [p.pmid],
        year: case when p.year is null then [] else [p.year] end,
        rank: [case coalesce(g.grade, 'ungraded')
               when 'A' then 0 when 'B' then 1 when 'C' then 2 when 'D' then 3
               when 'ungraded' then 4 else 5 end],
        dp: [d for d in list_distinct([index_day(p.publication_date), index_day(p.electronic_date)])
             if d is not null],
        edat: index_date(coalesce(p.entrez_date, p.pubmed_date)),
        mhda: index_date(p.medline_date),
        dcom: index_date(p.completed_date),
        lr: index_date(p.revised_date),
        title: p.in_title,
        vernacular: index_texts([p.vernacular_title]),
        abstract: p.in_abstract,
        more: p.in_more,
        keywords: index_texts(p.keywords),
        terms: p.in_terms,
        names: p.in_names,
        whole: p.in_title || p.in_title || p.in_abstract || p.in_more || p.in_terms || p.in_names,
        gist: p.in_title || p.in_title || p.in_abstract || p.in_more || p.in_terms,
        collective: index_texts([a.collective_name for a in p.author_details]),
        code: [code for code in (
            -- headings: by UI, by name, and by name alone where the record gives no UI
            ['m:' || d.ui for d in folded if d.ui is not null]
            || ['mn:' || d.name for d in folded]
            || ['m?:' || d.name for d in folded if d.ui is null]
            || ['m:' || d.ui || '/' || d.qualifier for d in pairs if d.ui is not null]
            || ['mn:' || d.name || '/' || d.qualifier for d in pairs]
            || ['m?:' || d.name || '/' || d.qualifier for d in pairs if d.ui is null]
            || ['M:' || d.ui for d in folded if d.major and d.ui is not null]
            || ['Mn:' || d.name for d in folded if d.major]
            || ['M?:' || d.name for d in folded if d.major and d.ui is null]
            || ['M:' || d.ui || '/' || d.qualifier for d in pairs if d.major and d.ui is not null]
            || ['Mn:' || d.name || '/' || d.qualifier for d in pairs if d.major]
            || ['M?:' || d.name || '/' || d.qualifier for d in pairs if d.major and d.ui is null]
            || ['sh:' || d.qualifier for d in pairs]
            || ['pt:' || t.ui for t in types if t.ui is not null]
            || ['ptn:' || t.name for t in types]
            || ['pt?:' || t.name for t in types if t.ui is null]
            || ['nm:' || index_fold(s.name) for s in p.supplementary_concepts if s.name is not null]
            || ['nm:' || index_fold(s.name) for s in p.chemicals if s.name is not null]
            || ['nu:' || s.ui for s in p.supplementary_concepts if s.ui is not null]
            || ['nu:' || s.ui for s in p.chemicals if s.ui is not null]
            || ['rn:' || lower(s.registry_number) for s in p.chemicals
                if s.registry_number is not null and s.registry_number <> '0']
            -- people
            || ['au:' || index_fold(a) for a in p.authors]
            || ['1au:' || index_fold(a) for a in p.authors[1:1]]
            || ['lastau:' || index_fold(a) for a in p.authors[-1:]]
            || ['fau:' || index_fold(concat_ws(' ', a.last_name, a.fore_name))
                for a in p.author_details
                if a.last_name is not null and a.fore_name is not null and coalesce(a.valid, true)]
            || ['auid:' || lower(a.orcid) for a in p.author_details if a.orcid is not null]
            || ['ir:' || index_fold(a) for a in p.investigators]
            -- journal
            || ['ta:' || index_fold(x) for x in [p.journal, p.journal_abbreviation,
                 regexp_replace(p.journal, '\s*\([^)]*\)$|\s*[:=].*$', ''),
                 regexp_replace(p.journal, '^(?i:the)\s+', '')] if x is not null]
            || ['is:' || lower(x) for x in [p.issn_linking, p.issn_print, p.issn_electronic]
                if x is not null]
            || ['jid:' || lower(x) for x in [p.journal_nlm_id] if x is not null]
            || ['vi:' || lower(x) for x in [p.volume] if x is not null]
            || ['ip:' || lower(x) for x in [p.issue] if x is not null]
            || ['pg:' || lower(x) for x in [p.pages, regexp_extract(p.pages, '^[^-,;\s]+')]
                if x is not null and x <> '']
            || ['pl:' || index_fold(x) for x in [p.country] if x is not null]
            || ['la:' || lower(x) for x in p.languages]
            -- identifiers
            || ['aid:' || lower(x) for x in [p.doi, p.pmcid, p.pii] if x is not null]
            || ['si:' || index_fold(b.name) for b in p.data_banks if b.name is not null]
            || flatten([['si:' || lower(x) for x in coalesce(b.accession_numbers, [])]
                        for b in p.data_banks])
            || ['si:' || lower(x) for x in coalesce(g.nct_ids, [])]
            || ['gr:' || index_fold(x) for x in flatten([[r.id, r.acronym, r.agency, r.country]
                for r in p.grants]) if x is not null]
            || ['gs:' || index_fold(x) for x in p.gene_symbols]
            -- what kind of record
            || ['g:' || coalesce(g.grade, 'ungraded')]
            || ['d:' || x for x in [g.design] if x is not null]
            || ['st:' || lower(x) for x in [p.status] if x is not null]
            || case when p.status = 'MEDLINE'
               then ['im:' || lower(coalesce(p.indexing_method, 'curated'))] else [] end
            || ['cs:' || lower(x) for x in p.citation_subsets]
            || ['ps:' || lower(x) for x in [p.publication_status] if x is not null]
            || case when p.abstract is not null then ['f:abstract'] else [] end
            || case when p.pmcid is not null then ['f:pmc'] else [] end
            || case when p.record_type = 'book' then ['f:book'] else [] end
            || case when coalesce(g.is_preprint,
                    list_contains([t.name for t in types], 'preprint')) then ['f:preprint'] else [] end
            || case when coalesce(g.is_retracted,
                    list_contains([t.name for t in types], 'retracted publication'))
               then ['f:retracted'] else [] end
        ) if code is not null],
        card: [base64(encode(to_json({
            pmid: p.pmid::varchar, pmcid: p.pmcid, doi: p.doi, title: p.title,
            authors: p.authors, journal: p.journal, year: p.year,
            publication_types: p.publication_types, sample_size: g.sample_size,
            is_preprint: coalesce(g.is_preprint, list_contains([t.name for t in types], 'preprint')),
            grade: coalesce(g.grade, 'ungraded'),
            grade_rationale: coalesce(g.grade_rationale, 'not graded yet'),
            abstract: p.abstract,
            grade_label: coalesce(g.grade_label, 'ungraded'), grade_base: g.grade_base,
            design: g.design, sample_size_source: g.sample_size_source,
            sample_size_evidence: g.sample_size_evidence, rules: g.rules,
            signals_up: g.signals_up, signals_down: g.signals_down, inferred: g.inferred,
            is_retracted: coalesce(g.is_retracted,
                list_contains([t.name for t in types], 'retracted publication')),
            superseded_by: g.superseded_by, nct_ids: g.nct_ids,
            journal_abbreviation: p.journal_abbreviation, volume: p.volume, issue: p.issue,
            pages: p.pages, languages: p.languages
        })::varchar))]
    })::varchar as document
from worded p
left join graded_part g using (pmid)
