"""The machine: the C library, drivers, devices and child processes."""
