"""Bundles and modules as files: their containers, and the plans that they state."""
