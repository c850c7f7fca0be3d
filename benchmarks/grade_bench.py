"""Grade synthetic evidence facts the size of PubMed in one pass, in bounded memory.

    python -m benchmarks.grade_bench [--rows 38000000] [--memory 4GB] [--folder DIR]

Prints seconds and the peak resident memory of the grading process. The facts are drawn with
the shares that PubMed has (about half the records state no clinical design).
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb
import pyarrow.parquet as pq

from etl.jobs.grade import grade, load_profile

SHARES = {
    "is_retracted": 0.0006,
    "is_guideline": 0.002,
    "is_consensus": 0.0005,
    "is_meta_analysis": 0.007,
    "is_systematic_review": 0.009,
    "is_rct": 0.017,
    "is_phase_1": 0.001,
    "is_phase_2": 0.002,
    "is_phase_3": 0.001,
    "is_trial_other": 0.02,
    "is_multicenter": 0.01,
    "is_observational": 0.005,
    "is_comparative_effectiveness": 0.0003,
    "is_case_report": 0.06,
    "is_review": 0.09,
    "is_preprint": 0.003,
    "is_protocol": 0.0005,
    "is_animal_only": 0.1,
    "has_cohort_heading": 0.07,
    "has_prospective_heading": 0.02,
    "has_retrospective_heading": 0.03,
    "has_case_control_heading": 0.01,
    "has_cross_sectional_heading": 0.015,
    "types_silent": 0.75,
    "says_prospective": 0.03,
    "says_prospective_data": 0.003,
    "says_multicentre": 0.02,
    "says_single_centre": 0.01,
    "has_registry_heading": 0.01,
    "says_registry_data": 0.01,
    "is_rare_disease": 0.01,
    "has_coi_statement": 0.2,
    "guideline_cites": 0.01,
}


def _facts_query(rows: int) -> str:
    flags = ", ".join(
        f"hash(i, '{name}') % 100000 < {round(share * 100_000)} AS {name}"
        for name, share in SHARES.items()
    )
    return f"""
        SELECT i AS pmid, (1966 + hash(i, 'y') % 60)::SMALLINT AS year,
            (hash(i, 'j') % 30000)::VARCHAR AS journal_nlm_id,
            CASE WHEN hash(i, 'x') % 100 < 8 THEN 'Letter' END AS excluded_type, {flags},
            ['none', 'none', 'none', 'cohort', 'rct', 'animal', 'in_vitro', 'case_report']
                [(hash(i, 'w') % 8 + 1)::BIGINT] AS design_inferred,
            (hash(i, 'p') % 100 / 100)::FLOAT AS design_probability,
            CASE WHEN hash(i, 'n') % 5 = 0 THEN (hash(i, 'm') % 3000)::BIGINT END AS sample_size,
            CASE WHEN hash(i, 'n') % 5 = 0 THEN 'abstract' ELSE 'none' END AS sample_size_source,
            CASE WHEN hash(i, 'n') % 5 = 0
                THEN 'A total of ' || hash(i, 'm') % 3000 || ' patients with the disease were'
                    || ' enrolled and followed at centre ' || i || ' for two years.'
            END AS sample_size_evidence,
            NULL::BIGINT AS registered_enrollment, NULL::INTEGER AS registered_facilities,
            CASE WHEN hash(i, 't') % 60 = 0
                THEN ['NCT' || lpad((i % 1000000)::VARCHAR, 8, '0')] ELSE []
            END AS nct_ids,
            (hash(i, 'c') % 100 / 100)::FLOAT AS journal_coi_share,
            (hash(i, 'd') % 60 / 10)::FLOAT AS journal_cites_per_document,
            NULL::BIGINT AS superseded_by
        FROM range({rows}) AS r(i)
    """


def make(path: Path, rows: int, memory: str) -> None:
    with duckdb.connect(config={"memory_limit": memory}) as con:
        con.execute("SET preserve_insertion_order = false")
        con.execute(f"COPY ({_facts_query(rows)}) TO '{path}' (FORMAT parquet, COMPRESSION zstd)")


def grade_file(source: Path, target: Path, memory: str) -> None:
    start = time.perf_counter()
    with duckdb.connect(config={"memory_limit": memory}) as con:
        con.execute("SET preserve_insertion_order = false")
        con.from_parquet(str(source)).create_view("evidence_facts")
        reader = grade(con, load_profile("default"), 2026)
        rows = 0
        with pq.ParquetWriter(target, reader.schema, compression="zstd") as writer:
            for batch in reader:
                writer.write_batch(batch)
                rows += batch.num_rows
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    print(f"{rows:,} rows graded in {seconds:.1f} s ({rows / seconds:,.0f}/s), peak {peak:.2f} GB")


def show(target: Path) -> None:
    with duckdb.connect() as con:
        con.from_parquet(str(target)).create_view("graded")
        print(con.sql("SELECT grade, count(*) AS n FROM graded GROUP BY grade ORDER BY grade"))


def main() -> None:
    parser = argparse.ArgumentParser(description="Grade synthetic facts the size of PubMed")
    parser.add_argument("--rows", type=int, default=38_000_000)
    parser.add_argument("--memory", default="4GB")
    parser.add_argument("--folder", type=Path, help="where to write; default a temporary folder")
    parser.add_argument("--grade-only", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.grade_only:
        grade_file(given.grade_only, given.grade_only.with_name("graded.parquet"), given.memory)
        return
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        source = Path(folder) / "facts.parquet"
        make(source, given.rows, given.memory)
        # A process of its own, so that its peak is the grading's and not the generator's.
        again = [sys.executable, "-m", "benchmarks.grade_bench", "--memory", given.memory]
        subprocess.run([*again, "--grade-only", str(source)], check=True)
        show(source.with_name("graded.parquet"))


if __name__ == "__main__":
    main()
