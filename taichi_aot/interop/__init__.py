"""Sharing devices and memory with the APIs that the library uses, one module for each."""
