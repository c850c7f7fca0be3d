"""From bulk files to graded Parquet: store, sources, text and the jobs that run them in order."""
