"""Machine code and PTX, beside what the compiler gives."""
