"""Modules of either format: parsed, described, and as plans."""
