"""Memory, arrays and images."""
