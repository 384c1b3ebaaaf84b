"""Direct access to the drivers: queries that do not use the Taichi C-API library."""
