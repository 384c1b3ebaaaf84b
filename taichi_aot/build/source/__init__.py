"""What the user wrote: a source opened, its kernels described, its calls recorded, its errors explained."""
