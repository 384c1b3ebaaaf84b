"""LLVM IR that is written here: what code needs to compute the same bits on every CPU."""
