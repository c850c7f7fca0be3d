"""Europe PMC: search over PubMed, PMC and preprints, and open full texts."""
