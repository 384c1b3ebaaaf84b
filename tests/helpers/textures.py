"""Formats of images."""

from __future__ import annotations

from helpers.inside import formats_of_kernels
from taichi_aot import Format

# Formats that kernels can store to, in Taichi's order.
RW_FORMATS = sorted(formats_of_kernels(), key=lambda name: Format(name).value)
COLORS = [format for format in Format if not format.name.startswith("DEPTH")]
