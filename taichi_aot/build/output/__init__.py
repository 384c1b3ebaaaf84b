"""Bundles, modules and Python modules, written."""
