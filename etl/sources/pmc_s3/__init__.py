"""PMC's open articles in the public bucket ``pmc-oa-opendata``."""
