# ruff: noqa: E501 - tables, one row a line
"""MeSH qualifiers (subheadings): names, two-letter abbreviations and families.

Names and abbreviations: NLM's qualifier file, 76 since 2019. Families (a qualifier searched
without :noexp finds the narrower ones too): therapeutic use and adverse effects are confirmed on
nlm.nih.gov; the others follow the PubMed User Guide as widely quoted.
"""

from etl.store.index_text import fold

_NAMES = (
    "AA analogs & derivatives|AB abnormalities|AD administration & dosage|AE adverse effects|"
    "AG agonists|AH anatomy & histology|AI antagonists & inhibitors|AN analysis|BI biosynthesis|"
    "BL blood|BS blood supply|CF cerebrospinal fluid|CH chemistry|CI chemically induced|"
    "CL classification|CN congenital|CO complications|CS chemical synthesis|CY cytology|"
    "DE drug effects|DF deficiency|DG diagnostic imaging|DH diet therapy|DI diagnosis|"
    "DT drug therapy|EC economics|ED education|EH ethnology|EM embryology|EN enzymology|"
    "EP epidemiology|ES ethics|ET etiology|GD growth & development|GE genetics|HI history|"
    "IM immunology|IN injuries|IP isolation & purification|IR innervation|IS instrumentation|"
    "LJ legislation & jurisprudence|ME metabolism|MI microbiology|MO mortality|MT methods|"
    "NU nursing|OG organization & administration|PA pathology|PC prevention & control|"
    "PD pharmacology|PH physiology|PK pharmacokinetics|PO poisoning|PP physiopathology|"
    "PS parasitology|PX psychology|PY pathogenicity|RE radiation effects|RH rehabilitation|"
    "RT radiotherapy|SC secondary|SD supply & distribution|SN statistics & numerical data|"
    "ST standards|SU surgery|TD trends|TH therapy|TM transmission|TO toxicity|"
    "TR transplantation|TU therapeutic use|UL ultrastructure|UR urine|VE veterinary|VI virology"
)
# qualifiers of earlier years and the ones that took their place in 2018-2019
_FORMER = {
    "radiography": "DG", "radionuclide imaging": "DG", "ultrasonography": "DG", "ra": "DG",
    "ri": "DG", "us": "DG", "pathophysiology": "PP", "manpower": "OG", "contraindications": "AE",
    "secretion": "ME", "utilization": "SN",
}  # fmt: skip
_NARROWER = {
    "TU": "AD AE PO", "AE": "PO TO", "AN": "BL CF IP UR",
    "AH": "BS CY EM IR PA", "CY": "UL", "EM": "AB",
    "CH": "AG AA AI CS", "DI": "DG PA",
    "ET": "CI CO CN EM GE IM MI PS TM", "CO": "SC", "MI": "VI",
    "OG": "EC LJ ST SD TD", "PD": "AD AE AG AI PK",
    "PH": "GE GD IM ME PP", "ME": "BI BL CF DF EN PK UR",
    "SN": "EP SD", "EP": "EH MO",
    "TH": "DH DT NU PC RT RH SU", "SU": "TR",
}  # fmt: skip

_BY_CODE = {row[:2]: fold(row[3:]) for row in _NAMES.split("|")}
_CODES = {name: code for code, name in _BY_CODE.items()}
_CODES |= {code.lower(): code for code in _BY_CODE} | _FORMER


def code(text: str) -> str | None:
    """The abbreviation of the qualifier written as ``text`` (name or abbreviation); None if unknown."""
    return _CODES.get(fold(text))


def names(code: str, explode: bool) -> tuple[str, ...]:
    """The folded names that a search for ``code`` finds: its own, and its family's when exploded."""
    found = [code]
    if explode:
        for one in found:
            found += [narrow for narrow in _NARROWER.get(one, "").split() if narrow not in found]
    return tuple(_BY_CODE[one] for one in found)
