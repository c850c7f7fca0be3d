"""The answers: one file a question."""
