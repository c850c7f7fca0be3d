"""PubMed's query language, offline.

Text → ``parse`` (tree as typed) → ``expand`` (plan: headings exploded, words mapped, filters
written out) → ``compile`` (search of the index) or ``explain`` (what was understood).
"""
