"""Machine code and PTX, added to the compiler's modules."""
