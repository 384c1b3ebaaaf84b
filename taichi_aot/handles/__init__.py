"""Private handles: who owns what, when it may be used, and who may change that."""
