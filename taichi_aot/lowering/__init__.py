"""What takes the place of a module's own code and launches: the private copy that the library loads, and plans."""
