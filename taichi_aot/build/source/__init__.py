"""The user's source: opening it, describing its kernels, recording calls, explaining errors."""
