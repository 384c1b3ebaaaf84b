"""Modules of Taichi's own: what their files state, and the plans that are made of it."""
