"""Launches: what they are measured with."""
