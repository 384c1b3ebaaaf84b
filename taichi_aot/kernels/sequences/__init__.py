"""Launches that C repeats."""
