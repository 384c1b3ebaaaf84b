"""The variants of transfers and allocations."""
