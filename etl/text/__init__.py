"""What the words of a citation say: sample size, study design, quality signals."""
