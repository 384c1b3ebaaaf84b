"""Modules of SPIR-V code, for Vulkan, OpenGL and Metal."""
