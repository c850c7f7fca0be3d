"""NCBI's BioC service: open full texts of PMC as JSON, by PMID or PMCID."""
