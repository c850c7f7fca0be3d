"""OpenAlex: works by relevance, for what PubMed does not have yet."""
