"""Building kernels of Quadrants: the child process that imports it, and the code that is made of what it compiles."""
