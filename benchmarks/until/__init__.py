"""The variants of until.py."""
