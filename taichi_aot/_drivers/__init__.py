"""Direct access to the drivers: what this package asks them itself, without the Taichi C-API library."""
