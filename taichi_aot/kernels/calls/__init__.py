"""A kernel, its arguments, and one launch of it."""
