"""Passes over the SPIR-V of kernels for Vulkan."""
