# ruff: noqa: E501 - tables, one row a line
"""Language names as PubMed's [la] takes them, to the MARC codes that citations carry."""

from etl.store.index_text import fold

_ROWS = (
    "afr af afrikaans|alb sq albanian|ara ar arabic|arm hy armenian|aze az azerbaijani|bos bs bosnian|"
    "bul bg bulgarian|cat ca catalan|chi zh chinese|hrv hr croatian|cze cs czech|dan da danish|"
    "dut nl dutch|eng en english|epo eo esperanto|est et estonian|fin fi finnish|fre fr french|"
    "geo ka georgian|ger de german|gle ga irish|gre el greek|heb he hebrew|hin hi hindi|"
    "hun hu hungarian|ice is icelandic|ind id indonesian|ita it italian|jpn ja japanese|kor ko korean|"
    "lat la latin|lav lv latvian|lit lt lithuanian|mac mk macedonian|may ms malay|nor no norwegian|"
    "per fa persian|pol pl polish|por pt portuguese|rum ro romanian|rus ru russian|slo sk slovak|"
    "slv sl slovenian|spa es spanish|srp sr serbian|swe sv swedish|tha th thai|tur tr turkish|"
    "ukr uk ukrainian|und un undetermined|vie vi vietnamese|wel cy welsh|mul mu multiple"
)
_CODES = {name: row.split()[0] for row in _ROWS.split("|") for name in row.split()}


def code(text: str) -> str | None:
    """The MARC code of the language ``text`` (name, MARC code or two letters); None if unknown."""
    return _CODES.get(fold(text))
