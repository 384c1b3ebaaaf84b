"""Memory and images on each kind of device."""
