"""Which files may be applied now."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from etl.sources.pubmed.listing import RemoteFile
from etl.sources.pubmed.order import (
    applied_year,
    baseline_number,
    is_new_baseline,
    new_baseline,
    official_name,
    sequence,
)


def names(*numbers: int, year: int = 26) -> list[str]:
    return [official_name(year, n) for n in numbers]


@pytest.mark.parametrize(
    ("offered", "applied", "baseline", "now", "missing"),
    [
        # a new day
        ([1336], [1334, 1335], 1334, None, None),
        ([1335, 1336], range(1, 1335), 1334, [1335, 1336], []),
        ([1336, 1335], range(1, 1335), None, [1335, 1336], []),
        # a gap between what is applied and what is at hand
        ([1336, 1337], range(1, 1335), 1334, [], [1335]),
        ([1336, 1337], range(1, 1335), None, [], [1335]),
        # a gap inside what is at hand
        ([1335, 1337, 1338], range(1, 1335), 1334, [1335], [1336]),
        ([1335, 1337, 1340], range(1, 1335), 1334, [1335], [1336, 1338, 1339]),
        # the file that was missing has come
        ([1336, 1335, 1338], [*range(1, 1335), 1337], 1334, [1335, 1336, 1338], []),
        # a baseline in any order; updates only after all of it
        ([5, 3, 4], [1], 5, [3, 4, 5], [2]),
        ([2, 6], [1, 3, 4, 5], 5, [2, 6], []),
        ([6, 4], [1, 3, 5], 5, [4], [2]),
        ([2, 3], [], 5, [2, 3], [1, 4, 5]),
        # nobody knows where the baseline ends: counted from the lowest
        ([700, 701], [], None, [700, 701], []),
        ([700, 702], [], None, [700], [701]),
        # a second delivery of an applied file
        ([1334], range(1, 1336), 1334, [1334], []),
        ([1335], range(1, 1336), 1334, [1335], []),
        # nothing at hand
        ([], [1, 2], None, [], []),
        ([], [], None, [], []),
    ],
)
def test_table(offered, applied, baseline, now, missing) -> None:  # type: ignore[no-untyped-def]
    found = sequence(names(*offered), names(*applied), baseline)
    if now is None:  # a lost baseline: everything before is missing
        assert found.apply_now == () and found.missing == tuple(names(*range(1, 1334)))
        return
    assert found == (tuple(names(*now)), tuple(names(*missing)))


def test_other_names_have_no_order_and_keep_their_place() -> None:
    offered = ["mine.xml", *names(3), "yours.xml.gz", *names(2)]
    assert sequence(offered, names(1)).apply_now == (
        "mine.xml",
        *names(2),
        "yours.xml.gz",
        *names(3),
    )
    assert sequence(["b.xml", "a.xml"], []) == (("b.xml", "a.xml"), ())
    assert sequence(["b.xml", "a.xml"], ["c.xml"], 1334) == (("b.xml", "a.xml"), ())


def test_one_year_at_a_time() -> None:
    both = [*names(1335), *names(1, 2, year=27)]
    assert sequence(both, names(1333, 1334)).apply_now == tuple(names(1335))
    assert sequence(both, names(5, year=27)).missing == tuple(names(3, 4, year=27))
    assert sequence(both, []).apply_now == tuple(names(1, 2, year=27))


numbers = st.lists(st.integers(1, 30), unique=True)


@given(numbers, numbers, st.none() | st.integers(1, 20))
def test_what_is_applied_never_has_a_hole_below_it(
    offered: list[int], applied: list[int], baseline: int | None
) -> None:
    found = sequence(names(*offered), names(*applied), baseline)
    now = {int(n[9:13]) for n in found.apply_now}
    missing = {int(n[9:13]) for n in found.missing}
    there = now | set(applied)
    start = 1 if baseline else min([*applied, *offered], default=1)
    assert now <= set(offered) and missing.isdisjoint({*offered, *applied})
    for number in now:
        if number > (baseline or 0):
            assert set(range(start, number)) <= there
    # whatever is held back has a missing number before it, and nothing is held back without
    for number in set(offered) - now:
        assert number > (baseline or 0) and any(m < number for m in missing)
    # the order of application is that of the numbers
    assert list(found.apply_now) == sorted(found.apply_now)


@given(st.permutations(range(1, 16)), st.integers(1, 15), st.lists(st.integers(1, 15)))
def test_in_whatever_order_files_come_each_is_applied_once_and_in_the_end_all(
    arrival: list[int], baseline: int, cuts: list[int]
) -> None:
    applied: list[str] = []
    waiting: list[str] = []
    for number in arrival:
        waiting += names(number)
        if number in cuts:
            continue
        now = sequence(waiting, applied, baseline).apply_now
        applied += now
        waiting = [w for w in waiting if w not in now]
    applied += sequence(waiting, applied, baseline).apply_now
    assert sorted(applied) == names(*range(1, 16))
    updates = [a for a in applied if a > official_name(26, baseline)]
    assert updates == sorted(updates)


# -- a new year ------------------------------------------------------------------------------------

BASE = "https://h.example/pubmed/baseline/"
DAILY = "https://h.example/pubmed/updatefiles/"


def at(folder: str, *numbers: int, year: int = 27) -> list[RemoteFile]:
    return [RemoteFile(n, folder + n) for n in names(*numbers, year=year)]


def test_a_complete_baseline_of_a_later_year() -> None:
    applied = names(1, 2, 3, 4)
    offered = [*at(DAILY, 5, year=26), *at(BASE, 3, 1, 2), *at(DAILY, 4)]
    found = new_baseline(offered, applied)
    assert found is not None and [f.url for f in found] == [
        BASE + n for n in names(1, 2, 3, year=27)
    ]
    assert is_new_baseline([f.name for f in offered], applied_year(applied))
    assert baseline_number(offered, 27) == 3 and baseline_number(offered, 26) is None


@pytest.mark.parametrize(
    "offered",
    [
        [],
        at(BASE, 1, 2, 3, year=26),
        at(BASE, 1, 2, 3, year=25),
        at(BASE, 1, 3),
        at(BASE, 2, 3),
        at(DAILY, 4, 5),
        [*at(BASE, 1, 3), *at(DAILY, 2)],
    ],
)
def test_no_or_no_complete_baseline(offered: list[RemoteFile]) -> None:
    assert new_baseline(offered, names(1, 2)) is None


def test_a_baseline_is_not_new_where_there_is_none() -> None:
    assert new_baseline(at(BASE, 1, 2), []) is None
    assert new_baseline(at(BASE, 1, 2), ["mine.xml"]) is None
    assert not is_new_baseline(names(1, year=27), None)
    assert not is_new_baseline([*names(1), "mine.xml"], 26)


def test_a_baseline_does_not_shrink() -> None:
    assert new_baseline(at(BASE, 1, 2), names(1, 2, 3), least=3) is None
    assert new_baseline(at(BASE, 1, 2, 3), names(1, 2, 3), least=3) is not None


def test_a_flat_mirror() -> None:
    offered = [*at("/mirror/", 1, 2, 3, year=26), *at("/mirror/", 1, 2)]
    found = new_baseline(offered, names(1, 2, 3))
    assert found is not None and len(found) == 2


@given(numbers, st.integers(1, 30))
def test_a_hole_is_never_taken_for_a_baseline(there: list[int], least: int) -> None:
    found = new_baseline(at(BASE, *there), names(1), least=least)
    complete = bool(there) and sorted(there) == list(range(1, len(there) + 1))
    assert (found is not None) == (complete and len(there) >= least)
    if found is not None:
        assert [f.name for f in found] == names(*range(1, len(there) + 1), year=27)
