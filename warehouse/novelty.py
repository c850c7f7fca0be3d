"""The novelty scan: what came out in this year and the last, under more than one wording.

Two groups of wordings, words for the new and words for reviews, are asked of PubMed and of
OpenAlex. A group that finds nothing is re-worded once. What the warehouse did not hold before is
flagged ``is_new``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa

from etl.errors import UsageError
from etl.sources.http import Transport, transport
from etl.sources.http_limits import Deadline
from etl.sources.outcome import Outcome, Reply
from etl.sources.pubmed.live import Fetched
from etl.store.home import open_home
from etl.store.index_fields import GRADES
from etl.store.snapshot import committed
from warehouse import live_rows, sources
from warehouse.fill import told
from warehouse.gather import Come, notices_of, take_others, take_pubmed
from warehouse.held import not_held
from warehouse.live_mode import Live
from warehouse.live_mode import live as live_mode
from warehouse.novelty_words import Wording, core_words, fewer_words, wordings
from warehouse.side_by_side import Question, ask_all, offline
from warehouse.unite import united

Row = dict[str, Any]

FIRST_SHARE = 0.6  # of the deadline; the rest is for groups that are asked again


@dataclass
class Group:
    """One wording, what it found, and how it was re-worded when that was nothing."""

    wording: Wording
    replies: dict[str, Reply[Any]] = field(default_factory=dict)
    first: Wording | None = None  # the wording that found nothing

    @property
    def empty(self) -> bool:
        """Whether PubMed said that there is none, and nobody else found any."""
        replies = self.replies.values()
        none = any(r.source == sources.PUBMED and r.outcome is Outcome.NONE for r in replies)
        return none and all(reply.value is None for reply in replies)


def novelty_scan(
    query: str,
    *,
    home: Path | None = None,
    live: str | None = None,
    max_results: int = 200,
    http: Transport | None = None,
) -> dict[str, Any]:
    """What came out on ``query`` in this and the last year, as far as PubMed and OpenAlex tell.

    Returns ``results`` (rows as of ``evidence_search``, each with ``is_new``: the warehouse did
    not hold it before this scan, and ``groups``: which wordings found it), new ones first, best
    grade first; ``years``, ``groups`` (name, wording, first_wording, outcomes by source),
    ``total`` and ``new`` (None when no source answered: nobody knows, which is not zero),
    ``sources``, ``incomplete``, ``offline``, ``notices``, ``snapshot``. Records of
    PubMed are kept in the warehouse, those of OpenAlex alone are shown only. Raises
    ``UsageError`` when live sources may not be asked.
    """
    mode = live_mode(live)
    if not mode.goes_out:
        raise UsageError("a novelty scan asks live sources: give --live gaps (it says never now)")
    core = core_words(query)
    if not core:
        raise UsageError("nothing is left of the query to scan for: give some words")
    place = open_home(home)
    come = Come(place, committed(place))
    years = (_today().year - 1, _today().year)
    scan = _Scan(come, years, mode, http or transport())
    groups = scan.ask([Group(wording) for wording in wordings(core)], core)
    return _answer(query, come, groups, scan.rows(groups), years, max_results)


def _today() -> date:
    return datetime.now(UTC).date()


@dataclass
class _Scan:
    """One scan on its way."""

    come: Come
    years: tuple[int, int]
    mode: Live
    http: Transport

    def __post_init__(self) -> None:
        self.lacking = not_held(self.come.home, self.come.snapshot)
        self.deadline = Deadline(self.mode.seconds)

    def ask(self, groups: list[Group], core: str) -> list[Group]:
        """The groups with their replies; empty ones asked again in other words, once."""
        self._round(groups, Deadline(self.mode.seconds * FIRST_SHARE))
        replies = [r for g in groups for r in g.replies.values()]
        if offline({str(n): r for n, r in enumerate(replies)}):
            self.come.offline = True
            self.come.notices.append("no network: PubMed and OpenAlex were not asked")
            return groups
        again = [group for group in groups if group.empty and fewer_words(core) != core]
        for group, wording in zip(again, _reworded(again, fewer_words(core)), strict=True):
            group.first, group.wording = group.wording, wording
        if again:
            self._round(again, self.deadline)
        self.come.notices += notices_of([r for g in groups for r in g.replies.values()])
        return groups

    def _round(self, groups: Sequence[Group], deadline: Deadline) -> None:
        questions = [q for group in groups for q in self._questions(group.wording)]
        replies = ask_all(self.http, questions, deadline)
        for group in groups:
            for source in (sources.PUBMED, sources.OPENALEX):
                reply = replies[f"{source} ({group.wording.name})"]
                group.replies[source] = reply
                self.come.replies.append(reply)

    def _questions(self, wording: Wording) -> list[Question]:
        first = date(self.years[0], 1, 1)
        term = f"({wording.pubmed}) AND {self.years[0]}:{self.years[1]}[dp]"
        wish = sources.Wish(term, wording.words, None, None, self.mode.records)
        by_date = sources.Wish(term, wording.words, first, None, self.mode.records)
        found = [
            sources.pubmed(self.http, wish, self.lacking),
            sources.openalex(self.http, by_date),
        ]
        return [Question(f"{q.source} ({wording.name})", q.base, q.job) for q in found]

    def rows(self, groups: Sequence[Group]) -> list[Row]:
        """Everything that came, once each, with the groups that found it."""
        records = _records([g.replies.get(sources.PUBMED) for g in groups])
        take_pubmed(self.come, records, self.lacking, [sources.PUBMED])
        self._hydrate([g.replies[sources.OPENALEX] for g in groups if g.replies])
        for group in groups:
            reply = group.replies.get(sources.OPENALEX)
            if reply is not None:
                self._take_works(reply)
        found = united(self.come.rows)
        for row in found:
            row["groups"] = [g.wording.name for g in groups if _found_by(g, row)]
            held = row["pmid"] and not self.lacking([int(row["pmid"])])
            row["is_new"] = not held
        return found

    def _hydrate(self, replies: Sequence[Reply[Any]]) -> None:
        """Records of PubMed for works that name a PMID: OpenAlex knows no publication types."""
        found = [r.value.column("pmid").to_pylist() for r in replies if r.value is not None]
        have = {row["pmid"] for row in self.come.rows}
        named = [p for pmids in found for p in pmids if p is not None and str(p) not in have]
        wanted = self.lacking(named)
        if wanted and not self.come.offline:
            question = sources.records(self.http, wanted, self.lacking)
            reply = ask_all(self.http, [question], self.deadline)[sources.RECORDS]
            self.come.replies.append(reply)
            self.come.notices += notices_of([reply])
            chain = [sources.OPENALEX, sources.PUBMED]
            take_pubmed(self.come, reply.value, self.lacking, chain)

    def _take_works(self, reply: Reply[Any]) -> None:
        """Works with a PMID that the warehouse holds as it holds them, the others as they came."""
        if reply.value is None:
            return
        pmids = [pmid for pmid in reply.value.column("pmid").to_pylist() if pmid is not None]
        absent = set(self.lacking(pmids))
        known = [pmid for pmid in pmids if pmid not in absent]
        self.come.rows += live_rows.held(
            self.come.home, self.come.snapshot, known, [sources.OPENALEX]
        )
        take_others(self.come, reply, self.lacking)


def _reworded(groups: Sequence[Group], core: str) -> list[Wording]:
    by_name = {wording.name: wording for wording in wordings(core)}
    return [by_name[group.wording.name] for group in groups]


def _records(replies: Sequence[Reply[sources.Records] | None]) -> sources.Records | None:
    """What all groups fetched as one: one commit keeps it."""
    found = [r.value for r in replies if r is not None and r.value is not None]
    fetched = [records.fetched for records in found if records.fetched is not None]
    pmids = tuple(dict.fromkeys(pmid for records in found for pmid in records.pmids))
    return sources.Records(pmids, _one(fetched)) if found else None


def _one(fetched: Sequence[Fetched]) -> Fetched | None:
    if not fetched:
        return None
    table = pa.concat_tables([f.citations for f in fetched])
    places = {pmid: at for at, pmid in enumerate(table.column("pmid").to_pylist())}
    order = [places[pmid] for pmid in sorted(places)]
    return Fetched(tuple(x for f in fetched for x in f.xml), table.take(pa.array(order)))


def _found_by(group: Group, row: Mapping[str, Any]) -> bool:
    found = {name: reply.value for name, reply in group.replies.items() if reply.value is not None}
    pmid = int(row["pmid"]) if row["pmid"] else None
    records, works = found.get(sources.PUBMED), found.get(sources.OPENALEX)
    if pmid is not None and records is not None and pmid in records.pmids:
        return True
    if works is None:
        return False
    named = works.column("pmid" if pmid is not None else "evidence_id").to_pylist()
    return (pmid if pmid is not None else row["evidence_id"]) in named


def _answer(  # noqa: PLR0913, PLR0917 - the parts of one answer
    query: str,
    come: Come,
    groups: Sequence[Group],
    rows: list[Row],
    years: tuple[int, int],
    limit: int,
) -> dict[str, Any]:
    shown = [row for row in rows if row["grade"] != "excluded"]
    shown.sort(key=lambda row: (not row["is_new"], GRADES.index(row["grade"])))
    known = any(reply.outcome in {Outcome.FOUND, Outcome.NONE} for reply in come.replies)
    return {
        "query": query,
        "years": list(years),
        "groups": [_told_group(group) for group in groups],
        "total": len(shown) if known else None,
        "new": sum(row["is_new"] for row in shown) if known else None,
        "results": shown[:limit],
        "notices": come.notices,
        "snapshot": come.snapshot.id,
        **told(come.replies, offline=come.offline),
    }


def _told_group(group: Group) -> dict[str, Any]:
    return {
        "name": group.wording.name,
        "wording": group.wording.pubmed,
        "first_wording": group.first.pubmed if group.first else None,
        "outcomes": {source: str(reply.outcome) for source, reply in group.replies.items()},
    }
