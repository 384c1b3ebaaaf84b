"""The files of modules: reading and checking them. Pure Python."""
