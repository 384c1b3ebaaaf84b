"""Memory: what transfers and allocations are measured with."""
