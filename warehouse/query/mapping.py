"""Automatic term mapping: what an untagged word or run of words stands for.

Order as PubMed's: headings and entry terms (with publication types and substances), journals,
authors; the longest leading run that matches is taken, the search goes on with the rest and
the results are joined by AND. Quotation marks and truncation switch mapping off.
"""

from dataclasses import replace

from etl.store.index_text import fold
from etl.store.index_text import words as fold_words
from warehouse.query import codes, filters
from warehouse.query.chinese import is_chinese, pieces, tell
from warehouse.query.context import Context
from warehouse.query.headings import explode, type_codes
from warehouse.query.plan import Codes, Pattern, Plan, Pmids, both, either
from warehouse.query.tags import ALL
from warehouse.query.terms import no_words, phrase, wild_words, words
from warehouse.query.tree import Term
from warehouse.query.vocabulary import Heading

RUN = 8  # words of the longest run that is looked up

# PubMed's stop words (PubMed User Guide, "Stopwords").
_STOP = (
    "a about again all almost also although always among an and another any are as at be "
    "because been before being between both but by can could did do does done due during each "
    "either enough especially etc for found from further had has have having here how however "
    "i if in into is it its itself just kg km made mainly make may mg might ml mm most mostly "
    "must nearly neither no nor not obtained of often on or our overall perhaps pmid quite "
    "rather really regarding seem seen several should show showed shown shows significantly "
    "since so some such than that the their theirs them then there therefore these they this "
    "those through thus to upon use used using various very was we were what when which while "
    "with within without would"
)
STOP_WORDS = frozenset(_STOP.split())
# words that ask and name nothing, left out of a text that ends with a question mark
_ASK = (
    "best better effective evidence good help helpful helps her his my s who whom whose why where "
    "whether work works you your"
)
_ASKING = frozenset(_ASK.split())


def untagged(term: Term, context: Context) -> Plan | None:
    """The plan of a term without a tag."""
    known = _known(term)
    if known is not None:
        return known
    if term.quoted or "*" in term.text:
        return words(term, ALL, context)
    if is_chinese(term.text):
        return _chinese(term, context)
    found = wild_words(term.text, term.at, context)
    if not found:
        return no_words(term, context)
    _note_small_operators(term, context)
    parts = _runs(found, stop_words(term.text), context)
    if not parts:  # nothing but stop words
        context.note(f'"{term.text}" holds only words that are too common: searched as a phrase')
        return phrase(found, ALL)
    return both(parts)


def _chinese(term: Term, context: Context) -> Plan | None:
    """Each known Chinese word in English or as written, the rest as any other words."""
    found = pieces(term.text)
    tell(found, context)
    parts: list[Plan] = []
    for piece in found:
        if piece.english:
            meanings = [both(_runs(fold_words(one), STOP_WORDS, context)) for one in piece.english]
            parts.append(either([*meanings, phrase(fold_words(piece.text), ALL)]))
        else:
            parts += _runs(wild_words(piece.text, term.at, context), stop_words(term.text), context)
    return both(parts) if parts else no_words(term, context)


def _known(term: Term) -> Plan | None:
    """A number as a PMID, an identifier, a filter that is written without a tag."""
    text = term.text.strip()
    numbers = text.replace(",", " ").split()
    if all(part.isascii() and part.isdigit() and 5 <= len(part) <= 9 for part in numbers):
        return either([Pmids(int(part), int(part), f"{int(part)}[PMID]") for part in numbers])
    identifier = codes.identifier(text)
    if identifier is not None:
        return identifier
    bare = text.lower() in ("hasabstract", "indexingmethod_automated", "indexingmethod_curated")
    return filters.codes(text) if bare and not term.quoted else None


def _note_small_operators(term: Term, context: Context) -> None:
    small = [word for word in ("or", "not") if word in term.text.split()]
    if small and not term.text.rstrip().endswith(("?", "？")):
        said = small[0]
        context.note(
            f'"{said}" was read as a word; for the operator write {said.upper()} in capitals'
        )


def stop_words(text: str) -> frozenset[str]:
    """The words of ``text`` that are not searched: a question has more of them."""
    return STOP_WORDS | _ASKING if text.rstrip().endswith(("?", "？")) else STOP_WORDS


def _runs(found: list[str], stop: frozenset[str], context: Context) -> list[Plan]:
    parts: list[Plan] = []
    place = 0
    while place < len(found):
        length, part = _longest(found, place, stop, context)
        if part is not None:
            parts.append(part)
        place += length
    return parts


def _longest(
    found: list[str], place: int, stop: frozenset[str], context: Context
) -> tuple[int, Plan | None]:
    """The longest run from ``place`` that means something: length, plan (None: a stop word)."""
    signs = _han(found, place)
    if signs:
        return signs, phrase(found[place : place + signs], ALL)
    for length in range(min(RUN, len(found) - place), 0, -1):
        run = found[place : place + length]
        if run[0] in stop or run[-1] in stop:
            continue
        part = _mapped(run, context)
        if part is not None:
            return length, part
    if found[place] in stop:
        return 1, None
    return 1, either(_variants(found[place]))


def _han(found: list[str], place: int) -> int:
    """How many single Han signs stand in a row from ``place``: they are one word to a reader."""
    count = 0
    while (
        place + count < len(found)
        and len(found[place + count]) == 1
        and found[place + count] >= "\u3400"
    ):
        count += 1
    return count


def _mapped(run: list[str], context: Context) -> Plan | None:
    text = " ".join(run)
    heading = context.vocabulary.find(text)
    meanings: list[Plan] = _heading(text, heading, context) if heading else []
    if context.frequency("code", f"nm:{text}"):
        meanings.append(Codes((f"nm:{text}",), f'"{text}"[Supplementary Concept]'))
    if not meanings:
        meanings = _journal(text, context) or _author(run, context)
    if not meanings:
        return None
    if len(run) == 1:
        return either([*meanings, *_variants(run[0])])
    return either([*meanings, both([phrase([word], ALL) for word in _without_stop(run)])])


def _without_stop(run: list[str]) -> list[str]:
    return [word for word in run if word not in STOP_WORDS] or run


def _heading(text: str, found: Heading, context: Context) -> list[Plan]:
    if not found.preferred:
        context.mapped.append((text, found.name))
    own = fold(found.name).split()
    meanings: list[Plan] = [explode(found, context)]
    if found.kind == "2":
        types = type_codes(found, True, context)
        meanings.append(Codes(tuple(types), f'"{found.name.lower()}"[Publication Type]'))
    if " ".join(own) != text:
        meanings.append(both([phrase([word], ALL) for word in _without_stop(own)]))
    return meanings


def _journal(text: str, context: Context) -> list[Plan]:
    known = codes.journal_codes(text)
    if any(context.frequency("code", code) for code in known):
        return [Codes(known, f'"{text}"[Journal]')]
    return []


def _author(run: list[str], context: Context) -> list[Plan]:
    """``smith ja``: a last name and one or two initials, when somebody is called that."""
    if len(run) != 2 or not run[1].isalpha() or len(run[1]) > 2 or len(run[0]) < 2:
        return []
    name = " ".join(run)
    if not context.frequency("code", f"au:{name}"):
        return []
    return [Pattern(f"au:{name}", "letters", f'"{name}"[Author]')]


def _variants(word: str) -> list[Plan]:
    """The word and its plain plural or singular (PubMed adds variants of untagged words too)."""
    own = phrase([word], ALL)
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return [own]
    if not word.endswith("s"):
        other = word + "s"
    elif len(word) > 4 and word[-2] not in "suiao":
        other = word[:-1]
    else:
        return [own]
    return [own, replace(phrase([other], ALL), variant=True)]
