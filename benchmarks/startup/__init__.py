"""Start-up: the programs that are started."""
