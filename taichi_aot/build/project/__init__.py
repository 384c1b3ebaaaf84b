"""Builds that a project states, and builds that are repeated."""
