"""What a launch does on the device, as the recorders in C need it."""
