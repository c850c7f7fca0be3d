"""Words in, words out: one command a file."""
