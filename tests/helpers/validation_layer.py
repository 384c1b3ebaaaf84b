"""Vulkan's validation layer, which Debian has in ``vulkan-validationlayers``."""

from __future__ import annotations

from pathlib import Path

LAYER = Path("/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json")
SETTINGS = """\
khronos_validation.debug_action = VK_DBG_LAYER_ACTION_LOG_MSG
khronos_validation.report_flags = {}
khronos_validation.log_filename = {}
khronos_validation.enables = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT
"""


def layer_variables(folder: Path, flags: str, output: object) -> dict[str, str]:
    """Write settings with which the layer reports messages of these kinds; return the variables that switch it on."""
    (folder / "vk_layer_settings.txt").write_text(SETTINGS.format(flags, output), encoding="utf-8")
    return {"VK_INSTANCE_LAYERS": "VK_LAYER_KHRONOS_validation", "VK_LAYER_SETTINGS_PATH": str(folder)}
