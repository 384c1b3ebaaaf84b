"""The programs for start-up times."""
