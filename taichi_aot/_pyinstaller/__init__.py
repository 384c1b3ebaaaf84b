"""Hooks for PyInstaller, which finds them by the entry point ``pyinstaller40``."""

from __future__ import annotations

import os

__all__ = ["hook_folders"]


def hook_folders() -> list[str]:
    """Return the folders in which PyInstaller looks for the package's hooks."""
    return [os.path.dirname(__file__)]
