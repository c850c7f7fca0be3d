"""``trials`` and the AACT tables that answer questions (schema ``ctgov``).

Every table is a snapshot of the registry: rewritten whole when a newer delivery is loaded.
AACT's surrogate ids change with every delivery; they are kept only where another table here
joins through them, under the name ``<thing>_id``, and are good within one snapshot only.

Left out, and why: ``reported_events`` (12 M rows of single adverse events, a fifth of the
delivery; ``trial_reported_event_totals`` answers how many were harmed), ``detailed_descriptions``
(the largest text, repeats the protocol; ``trial_brief_summaries`` says what the study is),
``baseline_measurements`` (3 M rows; ``trial_baseline_counts`` gives the people), contacts and
officials (persons), ``links``, ``documents``, ``responsible_parties``, ``result_agreements``,
``participant_flows``, ``pending_results``, ``ipd_information_types`` (administration), and the
``search_*`` and ``mesh_*`` tables (AACT's own house-keeping).
"""

from etl.store.schema.declare import Table
from etl.store.schema.trial_design import DESIGN_TABLES
from etl.store.schema.trial_results import RESULT_TABLES
from etl.store.schema.trial_study import TRIALS

TABLES: tuple[Table, ...] = (TRIALS, *DESIGN_TABLES, *RESULT_TABLES)
