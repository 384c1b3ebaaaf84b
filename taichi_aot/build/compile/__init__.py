"""The compiler in child processes, one per arch, and its output."""
