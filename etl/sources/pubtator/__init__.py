"""PubTator3: which diseases, drugs and genes a citation speaks of."""
