"""The program of the command ``demo``, with its module."""
