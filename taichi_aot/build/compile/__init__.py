"""The compiler in child processes, one per arch, and what it gives."""
