"""What questions to live services need beyond downloads: forms, budgets, fuses, one family."""

import time
from dataclasses import replace

import pytest

from etl.errors import SourceError, UsageError
from etl.sources.http import Response, Transport
from etl.sources.http_errors import BudgetError, Passing, StatusError, UnavailableError
from etl.sources.http_limits import Deadline
from etl.sources.http_settings import NCBI_WITH_KEY, Family, Settings, from_environment
from etl.sources.outcome import Outcome, Reply, failed
from tests.fault_server import FaultServer, stall_at_once
from tests.fault_server import Reply as Answer
from tests.http.conftest import QUICK

JSON = b'{"a": 1}'


def test_a_form_is_posted_and_its_empty_fields_are_not(
    server: FaultServer, client: Transport
) -> None:
    url = server.on("/post", Answer(status=503), Answer(JSON))
    answer = client.post(url, form={"id": "1,2", "none": None, "empty": ""}, expect="json")
    assert answer.body == JSON
    assert [(r.method, r.body) for r in server.seen] == [("POST", b"id=1%2C2")] * 2
    assert server.seen[0].headers["content-type"] == "application/x-www-form-urlencoded"


def test_a_form_does_not_follow_to_another_host(server: FaultServer, client: Transport) -> None:
    url = server.on("/post", Answer(status=307, headers={"Location": "http://127.0.0.1:9/x"}))
    with pytest.raises(SourceError, match="gets no form of ours"):
        client.post(url, form={"api_key": "secret"})


def test_an_error_under_200_is_asked_again(server: FaultServer, client: Transport) -> None:
    url = server.on("/x", Answer(b'{"error": "busy"}'), Answer(JSON))

    def check(response: Response) -> None:
        if b"busy" in response.body:
            raise Passing("answered busy under 200")

    assert client.get(url, expect="json", check=check).body == JSON
    assert len(server.seen) == 2


def test_an_error_under_200_that_stays_is_named(server: FaultServer, client: Transport) -> None:
    url = server.on("/x", Answer(b'{"error": "busy"}'))

    def check(response: Response) -> None:
        raise Passing("answered busy under 200")

    with pytest.raises(UnavailableError, match=r"busy under 200 \(tried 3 times\)"):
        client.get(url, expect="json", check=check)


def test_nobody_waits_longer_than_the_caller(server: FaultServer, client: Transport) -> None:
    url = server.on("/x", Answer(JSON, manner=stall_at_once))
    started = time.monotonic()
    with pytest.raises(UnavailableError):
        client.get(url, within=Deadline(0.2))
    assert time.monotonic() - started < 0.45


def test_the_longest_base_tells_the_family() -> None:
    settings = replace(
        QUICK,
        bases={"eutils": "http://127.0.0.1:1/", "europepmc": "http://127.0.0.1:1/epmc/"},
    )
    assert settings.family_of("http://127.0.0.1:1/esearch.fcgi").name == "NCBI"
    assert settings.family_of("http://127.0.0.1:1/epmc/search").name == "EuropePMC"
    assert settings.family_of("https://www.ncbi.nlm.nih.gov/research/x").name == "NCBI"
    assert settings.family_of("http://127.0.0.1:2/x").name == "127.0.0.1:2"


def test_a_budget_of_the_day_stops_and_does_not_sleep(server: FaultServer) -> None:
    place = server.url.removeprefix("http://")
    family = Family("Small", (place,), 1000, per_day=2)
    client = Transport(replace(QUICK, families=(family,)))
    url = server.on("/x", Answer(JSON))
    client.get(url)
    client.get(url)
    with pytest.raises(BudgetError, match="Small: the budget of the day is used up"):
        client.get(url)
    assert len(server.seen) == 2


def test_a_wait_until_midnight_is_a_budget_that_is_used_up(server: FaultServer) -> None:
    place = server.url.removeprefix("http://")
    family = Family("Daily", (place,), 1000, budgeted=True)
    client = Transport(replace(QUICK, families=(family,)))
    url = server.on("/x", Answer(status=429, headers={"Retry-After": "40000"}))
    started = time.monotonic()
    for _ in range(2):
        with pytest.raises(BudgetError):
            client.get(url)
    assert time.monotonic() - started < 1
    assert len(server.seen) == 1


@pytest.mark.parametrize("status", [500, 400])
def test_a_family_that_fails_all_the_time_is_left_alone(server: FaultServer, status: int) -> None:
    client = Transport(replace(QUICK, breaker_failures=6, breaker_seconds=0.3))
    url = server.on("/x", *[Answer(status=status)] * 6, Answer(JSON))
    for _ in range(6 if status == 400 else 2):
        with pytest.raises((UnavailableError, StatusError)):
            client.get(url)
    with pytest.raises(
        UnavailableError, match=rf"failed 6 times in a row \(.*{status}.*\), not asked"
    ):
        client.get(url)
    assert len(server.seen) == 6
    time.sleep(0.35)
    assert client.get(url).body == JSON


def test_a_relay_of_several_families_is_none_of_them() -> None:
    relay = "http://127.0.0.1:8000/"
    settings = from_environment(
        {"EVIDENCE_BASE_EUTILS": relay, "EVIDENCE_BASE_EUROPEPMC": relay,
         "EVIDENCE_BASE_BIOC": relay, "EVIDENCE_BASE_CTGOV": f"{relay}ctgov/"}
    )  # fmt: skip
    assert settings.family_of(f"{relay}esearch.fcgi").name == "127.0.0.1:8000"
    assert settings.family_of(f"{relay}ctgov/studies").name == "ClinicalTrials"
    ours = from_environment({"EVIDENCE_BASE_EUTILS": relay, "EVIDENCE_BASE_BIOC": relay})
    assert ours.family_of(f"{relay}esearch.fcgi").name == "NCBI"


def test_unknown_ids_are_answers_and_blow_no_fuse(server: FaultServer) -> None:
    client = Transport(replace(QUICK, breaker_failures=2))
    url = server.on("/x", Answer(status=404))
    for _ in range(5):
        with pytest.raises(StatusError):
            client.get(url)


def test_keys_rates_and_addresses_come_from_the_environment() -> None:
    settings = from_environment(
        {
            "NCBI_API_KEY": "k123",
            "EVIDENCE_RATE_CLINICALTRIALS": "0.5",
            "EVIDENCE_BASE_EUTILS": "http://127.0.0.1:8000/eutils",
            "EVIDENCE_CONTACT": "me@example.org",
        }
    )
    rates = {f.name: f.per_second for f in settings.families}
    assert (rates["NCBI"], rates["ClinicalTrials"]) == (NCBI_WITH_KEY, 0.5)
    assert settings.bases["eutils"] == "http://127.0.0.1:8000/eutils/"
    assert (settings.contact, settings.keys["ncbi"]) == ("me@example.org", "k123")
    assert "k123" not in repr(settings)
    assert settings.user_agents["ClinicalTrials"].startswith("python-urllib3/2")


@pytest.mark.parametrize(
    "bad",
    [
        {"EVIDENCE_RATE_NCBI": "fast"},
        {"EVIDENCE_RATE_NCBI": "0"},
        {"NCBI_API_KEY": "a b"},
        {"EVIDENCE_USER_AGENT": "x\r\nEvil: 1"},
    ],
)
def test_what_cannot_stand_in_a_request_is_refused(bad: dict[str, str]) -> None:
    with pytest.raises(UsageError) as error:
        from_environment(bad)
    assert "a b" not in str(error.value)


def test_all_bases_end_in_a_slash_and_have_a_family() -> None:
    settings = Settings()
    for name, base in settings.bases.items():
        assert base.startswith("https://") and base.endswith("/")
        assert settings.family_of(base).name != base.split("/")[2], name


def test_outcomes_of_errors() -> None:
    assert failed("x", BudgetError("over")).outcome is Outcome.STOPPED
    reply = failed("x", StatusError("https://a/?api_key=K: answered 403", 403), requests=1)
    assert (reply.outcome, reply.status, reply.requests) == (Outcome.FAILED, 403, 1)
    assert "K:" not in reply.detail and reply.value is None


def test_a_partial_answer_says_so() -> None:
    assert Reply("x", Outcome.FOUND, [1], asked=2, missing=("2",)).partial
    assert Reply("x", Outcome.FOUND, [1], asked=1).row()["partial"] is False
    assert not Reply("x", Outcome.NONE).partial
