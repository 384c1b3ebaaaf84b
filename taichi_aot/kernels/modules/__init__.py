"""What a file gives: modules, their kernels and fields."""
