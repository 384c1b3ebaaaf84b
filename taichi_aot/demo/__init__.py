"""The demo of the command line, with its modules."""
