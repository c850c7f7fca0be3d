"""Full texts: three channels in turn, and the number of people that the open one states."""

from pathlib import Path

import pytest

from etl.errors import UsageError
from etl.sources import jats
from etl.sources.bioc import fulltext as bioc
from etl.sources.europepmc import fulltext as europepmc
from etl.sources.http import Transport
from etl.sources.outcome import Outcome
from etl.sources.pmc_s3 import fulltext as pmc_s3
from etl.store.home import open_home
from etl.text import fulltext
from tests.fault_server import FaultServer, Reply
from tests.live import europepmc as made
from warehouse.fulltext import ABSTRACT_ONLY, sample_sizes

XML, BIOC, S3 = "/europepmc/PMC77/fullTextXML", "/bioc/BioC_json/PMC77/unicode", "/pmc-s3/"
RECORD = [{"pmid": "7", "pmcid": "PMC77", "title": "Drops in children"}]


def ask(http: Transport, tmp_path: Path, records: list[dict[str, str | None]] = RECORD) -> object:  # type: ignore[assignment]
    (size,) = sample_sizes(open_home(tmp_path), records, http)
    return size.value, size.channel, size.tried, size.evidence


def test_tables_references_and_citation_marks_are_not_read() -> None:
    found = jats.sections(made.JATS)
    assert [s.kind for s in found] == ["abstract", "introduction", "methods", "results"]
    text = " ".join(s.text for s in found)
    assert "5000" not in text and "777" not in text
    assert "were screened and 248 children" in text
    assert found[2].heading == "Participants"


def test_the_randomised_total_wins(server: FaultServer, http: Transport, tmp_path: Path) -> None:
    server.on(XML, Reply(made.JATS))
    value, channel, tried, evidence = ask(http, tmp_path)  # type: ignore[misc]
    assert (value, channel) == (248, "europepmc-fulltext")
    assert tried == (("europepmc-fulltext", 200, "found"),)
    assert evidence in " ".join(s.text for s in jats.sections(made.JATS))


def test_the_second_channel_stands_in(server: FaultServer, http: Transport, tmp_path: Path) -> None:
    server.on(XML, Reply(status=404))
    server.on(BIOC, Reply(made.BIOC))
    value, channel, tried, _ = ask(http, tmp_path)  # type: ignore[misc]
    assert (value, channel) == (248, "bioc-fulltext")
    assert tried[0] == ("europepmc-fulltext", 404, "not_available")


def test_the_third_takes_the_newest_version(
    server: FaultServer, http: Transport, tmp_path: Path
) -> None:
    server.on(XML, Reply(status=500))
    server.on(BIOC, Reply(made.NOT_OPEN))
    server.on(S3, Reply(made.LISTING))
    server.on(f"{S3}PMC77.10/PMC77.10.json", Reply(made.OPEN))
    server.on(f"{S3}PMC77.10/PMC77.10.xml", Reply(made.JATS))
    value, channel, tried, _ = ask(http, tmp_path)  # type: ignore[misc]
    assert (value, channel) == (248, "pmc-s3")
    assert [outcome for _, _, outcome in tried] == ["failed", "not_available", "found"]


def test_none_is_open(server: FaultServer, http: Transport, tmp_path: Path) -> None:
    server.on(XML, Reply(made.FRONT_ONLY))
    server.on(BIOC, Reply(made.NOT_OPEN))
    server.on(S3, Reply(made.NO_LISTING))
    value, channel, tried, _ = ask(http, tmp_path)  # type: ignore[misc]
    assert (value, channel) == (None, ABSTRACT_ONLY)
    assert tried == (
        ("europepmc-fulltext", 200, "not_available"),
        ("bioc-fulltext", 200, "not_available"),
        ("pmc-s3", 200, "not_available"),
    )


def test_a_pmcid_that_is_not_known_is_looked_up(
    server: FaultServer, http: Transport, tmp_path: Path
) -> None:
    server.on(made.SEARCH, Reply(made.answer([made.record(7, pmcid="PMC77")])))
    server.on(XML, Reply(made.JATS))
    value, *_ = ask(http, tmp_path, [{"pmid": "7", "pmcid": None}])  # type: ignore[misc]
    assert value == 248
    assert server.seen[0].query["query"].startswith("(EXT_ID:7 AND SRC:MED)")


def test_without_a_pmcid_only_bioc_is_asked(
    server: FaultServer, http: Transport, tmp_path: Path
) -> None:
    server.on(made.SEARCH, Reply(made.answer([made.record(7)])))
    server.on("/bioc/BioC_json/7/unicode", Reply(made.BIOC))
    value, _, tried, _ = ask(http, tmp_path, [{"pmid": "7", "pmcid": None}])  # type: ignore[misc]
    assert value == 248 and len(tried) == 1


@pytest.mark.parametrize(
    "body",
    [
        b'<!DOCTYPE a [<!ENTITY a "x"><!ENTITY b "&a;&a;&a;&a;">]><article><body><sec><p>&b;'
        b"</p></sec></body></article>",
        b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><article><body><p>&x;</p></body>'
        b"</article>",
        b"<article><body><p>cut",
        b"\xff\xfe<\x00a\x00",
        b"<OA><error/></OA>",
        b'<?xml version="1.0" encoding="klingon"?><article><body><p>x</p></body></article>',
        b"<article><body><p>caf\xe9</p></body></article>",
        b"<article><body><p>a\0b</p></body></article>",
        b"<article><body>"
        + b"<sec>" * 5000
        + b"<p>x</p>"
        + b"</sec>" * 5000
        + b"</body></article>",
        b"<article><body><p>" + b"word " * 2_500_000 + b"</p></body></article>",
        b"<!DOCTYPE a [<!ENTITY a0 'aaaaaaaaaa'>"
        + b"".join(b"<!ENTITY a%d '%b'>" % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 10))
        + b"]><article><body><p>&a9;</p></body></article>",
    ],
)
def test_hostile_texts(server: FaultServer, http: Transport, body: bytes) -> None:
    server.on(XML, Reply(body))
    reply = europepmc.full_text(http, "PMC77")
    assert reply.outcome in {Outcome.FAILED, Outcome.NOT_AVAILABLE} and reply.value is None


def test_other_shapes_of_bioc(server: FaultServer, http: Transport) -> None:
    server.on(BIOC, Reply(b'{"documents": [{"passages": [{"infons": 3}, {"infons": {}}]}]}'))
    assert bioc.full_text(http, "PMC77").outcome is Outcome.NOT_AVAILABLE


@pytest.mark.parametrize("said", [Reply(made.MANUSCRIPT), Reply(status=404)])
def test_only_open_access_is_read_from_the_bucket(
    server: FaultServer, http: Transport, said: Reply
) -> None:
    """Author manuscripts lie there too; what does not say that it is open is not read."""
    server.on(S3, Reply(made.LISTING))
    server.on(f"{S3}PMC77.10/PMC77.10.json", said)
    server.on(f"{S3}PMC77.10/PMC77.10.xml", Reply(made.JATS))
    reply = pmc_s3.full_text(http, "PMC77")
    assert reply.outcome is Outcome.NOT_AVAILABLE and reply.missing == ("PMC77",)
    assert not any(request.path.endswith(".xml") for request in server.seen)


def test_a_failed_look_up_of_the_pmcid_is_told(
    server: FaultServer, http: Transport, tmp_path: Path
) -> None:
    server.on(made.SEARCH, Reply(status=500))
    server.on("/bioc/BioC_json/7/unicode", Reply(made.NOT_OPEN))
    _, channel, tried, _ = ask(http, tmp_path, [{"pmid": "7", "pmcid": None}])  # type: ignore[misc]
    assert channel == ABSTRACT_ONLY
    assert [(name, outcome) for name, _, outcome in tried] == [
        ("europepmc-search", "failed"),
        ("bioc-fulltext", "not_available"),
    ]


@pytest.mark.parametrize("name", ["PMC77", "pmc0077", " PMC77.2"])
def test_spellings_of_a_pmcid(server: FaultServer, http: Transport, name: str) -> None:
    server.on(XML, Reply(made.JATS))
    assert europepmc.full_text(http, name).outcome is Outcome.FOUND


@pytest.mark.parametrize("name", ["", "77/../78", "PMC", "10.1/77"])
def test_what_is_no_id_is_not_asked(server: FaultServer, http: Transport, name: str) -> None:
    for channel in (europepmc, bioc, pmc_s3):
        with pytest.raises(UsageError):
            channel.full_text(http, name)
    assert server.seen == []


@pytest.mark.parametrize("number", ["77", "PMC77"])
def test_a_document_of_bioc_has_its_id_with_or_without_prefix(
    server: FaultServer, http: Transport, number: str
) -> None:
    server.on(BIOC, Reply(made.BIOC.replace(b'"77"', f'"{number}"'.encode())))
    assert bioc.full_text(http, "PMC77").outcome is Outcome.FOUND


def test_the_text_of_another_article_is_not_taken(server: FaultServer, http: Transport) -> None:
    server.on(BIOC, Reply(made.BIOC.replace(b'"77"', b'"78"')))
    reply = bioc.full_text(http, "PMC77")
    assert reply.outcome is Outcome.FAILED and "78" in reply.detail and reply.requests == 1


def test_numbers_are_not_joined() -> None:
    """Neither with the mark of a note nor with the item of a list that follows."""
    (found,) = jats.sections(
        b'<article><body><sec sec-type="methods"><p>We randomised 248<xref ref-type="fn">1</xref>'
        b" children to<list><list-item><p>124</p></list-item>"
        b"<list-item><p>124</p></list-item></list></p></sec></body></article>"
    )
    assert found.text == "We randomised 248 children to 124 124"


def test_raised_digits_stay_apart() -> None:
    (found,) = jats.sections(
        b"<article><body><sec><p>We gave 10<sup>6</sup> cells, H<sub>2</sub>O and 5"
        b"<sup><italic>2</italic></sup> mg/m<sup>2</sup> to 40<sup>a</sup> men</p></sec></body>"
        b"</article>"
    )
    assert found.text == "We gave 10^6 cells, H2O and 5^2 mg/m2 to 40a men"


def test_the_bucket_refuses(server: FaultServer, http: Transport) -> None:
    server.on(S3, Reply(b"<Error><Code>AccessDenied</Code></Error>", 403))
    assert pmc_s3.full_text(http, "PMC77").outcome is Outcome.NOT_AVAILABLE


def test_other_trials_are_not_this_one() -> None:
    paragraphs = [
        ("introduction", "In the ABC trial 900 patients were randomised."),
        ("methods", "In a previous trial 800 patients were randomised to drops."),
        ("discussion", "We randomised 100 patients."),
    ]
    assert fulltext.find(None, paragraphs) is None


def test_what_most_paragraphs_say() -> None:
    paragraphs = [
        ("methods", "We enrolled 60 patients with asthma at one clinic."),
        ("results", "A total of 64 patients with asthma were enrolled."),
        ("other", "In all, 64 patients were enrolled."),
    ]
    found = fulltext.find(None, paragraphs)
    assert found is not None and found.value == 64


def test_recorded_texts(shared_data: Path) -> None:
    folder = shared_data / "api" / "europepmc"
    texts = [jats.sections(p.read_bytes()) for p in sorted(folder.glob("*fullTextXML*.xml"))]
    assert len(texts) == 7 and all(len(t) > 10 for t in texts)
    assert sum(any(s.kind == "methods" for s in t) for t in texts) >= 5
