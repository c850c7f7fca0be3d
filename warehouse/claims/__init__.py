"""What a clinical claim says, and what a record says about it."""
