"""Sharing devices and memory with the APIs below the library, one module for each."""
