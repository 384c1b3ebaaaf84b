"""The variants of waits: of this package, of the drivers, and of other packages."""
