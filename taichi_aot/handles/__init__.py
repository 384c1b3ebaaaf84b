"""Private handles: the ownership and the state of runtimes, modules, memory and images."""
