-- Text folding shared by the index questions; etl/store/index_text.py says the same in Python.
-- Grain: none (macros). Input: one text. Output: the text as the index keeps it.

-- One term out of a name: case, accents and punctuation folded, "&" read as "and".
create or replace temporary macro index_fold(x) as
    trim(regexp_replace(lower(strip_accents(replace(x, '&', ' and '))), '[^\p{L}\p{N}]+', ' ', 'g'));

-- Greek letters written out, as PubMed does (TNF-α is found as tnf alpha).
create or replace temporary macro index_greek(x) as
    replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    replace(replace(
        translate(x, 'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ', 'αβγδεζηθικλμνξοπρστυφχψω'),
    'α', 'alpha'), 'β', 'beta'), 'γ', 'gamma'), 'δ', 'delta'), 'ε', 'epsilon'), 'ζ', 'zeta'),
    'η', 'eta'), 'θ', 'theta'), 'ι', 'iota'), 'κ', 'kappa'), 'λ', 'lambda'), 'μ', 'mu'),
    'ν', 'nu'), 'ξ', 'xi'), 'ο', 'omicron'), 'π', 'pi'), 'ρ', 'rho'), 'ς', 'sigma'),
    'σ', 'sigma'), 'τ', 'tau'), 'υ', 'upsilon'), 'φ', 'phi'), 'χ', 'chi'), 'ψ', 'psi'),
    'ω', 'omega'), 'µ', 'mu');

create or replace temporary macro index_composed(x) as
    case when regexp_matches(x, '[\x{370}-\x{3FF}µ]') then index_greek(nfc_normalize(x))
         else nfc_normalize(x) end;

-- Running text for the word index: composed letters, Greek written out, one token a Han sign.
create or replace temporary macro index_text(x) as
    case
        when not regexp_matches(x, '[^\x{00}-\x{7F}]') then x
        when regexp_matches(x, '\p{Han}')
            then regexp_replace(index_composed(x), '(\p{Han})', ' \1 ', 'g')
        else index_composed(x)
    end;

create or replace temporary macro index_texts(xs) as
    [index_text(x) for x in coalesce(xs, []) if x is not null and x <> ''];

-- YYYY, YYYY-MM or YYYY-MM-DD as the integer YYYYMMDD; parts that are not stated count as 01.
create or replace temporary macro index_day(x) as
    try_cast(rpad(replace(x, '-', ''), 8, '01') as integer);

create or replace temporary macro index_date(x) as
    case when x is null then []::integer[] else [cast(strftime(x, '%Y%m%d') as integer)] end;
