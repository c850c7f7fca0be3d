"""Measures of quality and speed, and the scripts that train what is trained."""
