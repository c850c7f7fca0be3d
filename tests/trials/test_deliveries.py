"""Files that are not what they should be: each is refused by name, with what to do."""

import shutil
import subprocess
import zipfile
from pathlib import Path

import pyarrow as pa
import pytest

from etl.errors import SourceError
from etl.sources.trials import archive, dump
from etl.sources.trials.aact import identify
from tests.trials.conftest import Loaded, load_all
from tests.trials.invented import flat_zip

STUDY = {"nct_id": "NCT90000001", "brief_title": "Invented"}


def dump_file(path: Path, minor: int) -> Path:
    """The first bytes of a custom-format dump of header version 1.``minor``."""
    path.write_bytes(b"PGDMP" + bytes([1, minor, 0, 4, 8, 1]))
    return path


def only_pg_restore(folder: Path, version: str) -> str:
    """A PATH on which pg_restore is one that only tells its version."""
    program = folder / "pg_restore"
    program.write_text(f"#!/bin/sh\necho 'pg_restore (PostgreSQL) {version}'\n")
    program.chmod(0o755)
    return str(folder)


@pytest.mark.parametrize(
    ("start", "says"),
    [
        (b"<!DOCTYPE html><title>Sign in</title>", "is a web page"),
        (b"", "not a zip"),
        (b"nct_id|brief_title\n", "not a zip"),
        (b"PK\x03\x04 cut short", "damaged zip"),
    ],
)
def test_another_file_under_the_name(tmp_path: Path, start: bytes, says: str) -> None:
    path = tmp_path / "20260101_export_ctgov.zip"
    path.write_bytes(start)
    with pytest.raises(SourceError, match=says) as caught:
        load_all(path)
    assert str(path) in str(caught.value)
    assert "download it again" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_zip_without_the_expected_members(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("readme.md", "")
    with pytest.raises(SourceError, match=r"x\.zip: holds neither postgres.dmp nor studies.txt"):
        load_all(path)


def test_no_such_file_and_an_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"missing\.zip: no such file"):
        load_all(tmp_path / "missing.zip")
    with pytest.raises(SourceError, match=r"holds no studies\.txt"):
        load_all(tmp_path)


def test_a_member_whose_checksum_fails(tmp_path: Path) -> None:
    path = flat_zip(tmp_path / "x.zip", {"studies": [STUDY] * 50})
    with zipfile.ZipFile(path) as made:
        at = made.infolist()[0].header_offset + 45
    torn = bytearray(path.read_bytes())
    torn[at] ^= 0xFF
    path.write_bytes(torn)
    with pytest.raises(SourceError, match=r"x\.zip"):
        load_all(path)


def test_a_zip_that_would_fill_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("postgres.dmp", b"PGDMP" + b"\0" * 3_000_000)
    monkeypatch.setattr(archive, "RATIO_MATTERS_FROM", 1_000_000)
    with pytest.raises(SourceError, match="would unpack from"):
        load_all(path)


def test_no_room_to_unpack(aact: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil._ntuple_diskusage(100, 95, 5)
    monkeypatch.setattr(archive.shutil, "disk_usage", lambda _: usage)
    with pytest.raises(SourceError, match=r"needs 19,945,839 bytes in .*, 5 are free"):
        load_all(aact / "20261130_clinical_trials_ctgov.zip", workdir=tmp_path)


def test_a_dump_is_unpacked_in_the_given_folder_and_removed(aact: Path, tmp_path: Path) -> None:
    source = aact / "20261130_clinical_trials_ctgov.zip"
    loaded = load_all(source, tables=["trial_retractions"], workdir=tmp_path)
    assert loaded.report.rows == {"trial_retractions": 1}
    assert list(tmp_path.iterdir()) == []


def test_a_truncated_dump(aact: Path) -> None:
    with pytest.raises(SourceError, match=r"postgres_truncated\.dmp: table .*download it again"):
        load_all(aact / "variants" / "postgres_truncated.dmp")


def test_a_dump_cut_inside_a_table(aact: Path, tmp_path: Path) -> None:
    whole = aact / "20261130_clinical_trials_ctgov.zip"
    with archive.unpacked_dump(whole, tmp_path) as unpacked:
        cut = tmp_path / "cut.dmp"
        cut.write_bytes(unpacked.read_bytes()[:9_000_000])
    with pytest.raises(SourceError, match=r"cut\.dmp: table \w+: pg_restore cannot read the dump"):
        load_all(cut)


@pytest.mark.parametrize(
    ("minor", "have", "need"),
    [(15, "15.18", 16), (16, "15.18", 17), (16, "16.4", 17), (99, "18.1", 18)],
)
def test_a_newer_dump_names_the_mend(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, minor: int, have: str, need: int
) -> None:
    path = dump_file(tmp_path / "postgres.dmp", minor)
    monkeypatch.setenv("PATH", f"{only_pg_restore(tmp_path, have)}:/usr/bin:/bin")
    with pytest.raises(SourceError) as caught:
        load_all(path)
    assert f"header version 1.{minor}" in str(caught.value)
    assert f"postgresql-client-{need} or newer" in str(caught.value)


@pytest.mark.parametrize(
    ("minor", "have"), [(14, "14.2"), (15, "16.1"), (16, "17.0"), (16, "18.6")]
)
def test_a_pg_restore_that_is_new_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, minor: int, have: str
) -> None:
    path = dump_file(tmp_path / "postgres.dmp", minor)
    monkeypatch.setenv("PATH", f"{only_pg_restore(tmp_path, have)}:/usr/bin:/bin")
    assert dump.pg_restore_for(path, str(path)) == str(tmp_path / "pg_restore")


def test_without_pg_restore(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = dump_file(tmp_path / "postgres.dmp", 14)
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    with pytest.raises(SourceError, match=r"needs pg_restore, which is not on PATH; install"):
        load_all(path)


@pytest.mark.parametrize(
    ("name", "minor"), [("postgres_small_pg16.dmp", 15), ("postgres_small_pg18.dmp", 16)]
)
def test_newer_dumps_load_or_are_refused_with_the_mend(
    aact: Path, from_dump: Loaded, name: str, minor: int
) -> None:
    path = aact / "variants" / name
    assert dump.header_version(path, name) == (1, minor)
    told = subprocess.run(["pg_restore", "-l", path], capture_output=True, check=False)
    if told.returncode:
        with pytest.raises(SourceError, match=rf"header version 1\.{minor}.*postgresql-client-"):
            load_all(path)
        return
    loaded = load_all(path)
    keys = [("nct_id", "ascending"), ("reference_id", "ascending")]
    exact = from_dump.tables["trial_references"].sort_by(keys)
    assert loaded.tables["trial_references"].sort_by(keys).equals(exact)
    assert loaded.report.rows["trials"] == 7610


def test_a_folder_of_the_flat_export(aact: Path, from_flat: Loaded, tmp_path: Path) -> None:
    with zipfile.ZipFile(aact / "20261130_export_ctgov.zip") as packed:
        packed.extractall(
            tmp_path, ["studies.txt", "sponsors.txt", "designs.txt", "calculated_values.txt"]
        )
    loaded = load_all(tmp_path, tables=["trials", "trial_sponsors"])
    for name in loaded.tables:
        keys = [(c, "ascending") for c in loaded.tables[name].column_names]
        assert loaded.tables[name].sort_by(keys).equals(from_flat.tables[name].sort_by(keys))


def test_a_flat_file_that_was_cut(tmp_path: Path) -> None:
    (tmp_path / "studies.txt").write_text("nct_id|brief_title\nNCT90000001|Inven")
    with pytest.raises(SourceError, match=r"studies\.txt: ends in the middle of a line"):
        load_all(tmp_path)
    (tmp_path / "studies.txt").write_text("nct_id|brief_title\nNCT90000001\n")
    with pytest.raises(SourceError, match=r"studies\.txt is damaged"):
        load_all(tmp_path)


def test_a_delivery_without_studies_or_its_key(tmp_path: Path) -> None:
    path = flat_zip(tmp_path / "x.zip", {"studies": [{}]}, {"studies": ["title", "phase"]})
    with pytest.raises(SourceError, match="studies has no column nct_id"):
        load_all(path)


def test_an_error_reaches_the_writer_before_the_table_ends(tmp_path: Path, aact: Path) -> None:
    written: list[str] = []

    def write(name: str, batches: object) -> None:
        pa.concat_tables(list(batches))
        written.append(name)

    from etl.sources.trials.aact import load

    with pytest.raises(SourceError):
        load(str(aact / "variants" / "postgres_truncated.dmp"), write)
    assert written == []


def test_identity_follows_the_content(tmp_path: Path) -> None:
    path = flat_zip(tmp_path / "20260101_export_ctgov.zip", {"studies": [STUDY]})
    first = identify(str(path))
    assert first[0] == "20260101_export_ctgov.zip"
    assert identify(str(path)) == first
    flat_zip(path, {"studies": [STUDY, {**STUDY, "nct_id": "NCT90000002"}]})
    assert identify(str(path)) != first


@pytest.mark.parametrize(
    ("name", "date"),
    [
        ("20261130_export_ctgov.zip", "2026-11-30"),
        ("postgres.dmp", None),
        ("aact-20240102.zip", "2024-01-02"),
        ("120261130123.zip", None),
    ],
)
def test_the_date_in_a_name(name: str, date: str | None) -> None:
    assert archive.snapshot_date(name) == date
