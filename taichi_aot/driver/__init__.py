"""What the machine has: the C library, the drivers, devices, and child processes."""
