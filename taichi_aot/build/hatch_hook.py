"""A build hook of hatchling that builds a project's bundles; ``[tool.hatch.build.hooks.taichi-aot]`` enables it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._options import BuildError
from ._project import read_project

if TYPE_CHECKING:

    class BuildHookInterface:
        """The used part of hatchling's class, which is unknown to type checkers if hatchling is not installed."""

        PLUGIN_NAME: str
        root: str
        target_name: str
        app: Any
        metadata: Any
        build_config: Any

    def hookimpl(function: Callable[[], type[BundleHook]]) -> Callable[[], type[BundleHook]]: ...

else:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
    from hatchling.plugin import hookimpl

__all__ = ["BundleHook", "hatch_register_build_hook"]


class BundleHook(BuildHookInterface):
    """Builds the bundles in the source folder, if they are not current, and adds them to the wheel."""

    PLUGIN_NAME: str = "taichi-aot"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the bundles; hatchling calls this before each build."""
        if self.target_name != "wheel":
            return
        root = Path(self.root).resolve()
        try:
            bundles = read_project(self.metadata.config, root)
            for bundle in bundles:
                if not bundle.is_current:
                    result = bundle.build()
                    self.app.display_info(str(result))
                    for warning in result.warnings:
                        self.app.display_warning(f"{bundle.table}: {warning}")
        except BuildError as error:
            self.app.abort(f"pyproject.toml: {error}")
            raise
        for path in (path for bundle in bundles for path in bundle.shipped):
            target = self.build_config.get_distribution_path(str(path.relative_to(root)))
            build_data["force_include"][str(path)] = target


@hookimpl
def hatch_register_build_hook() -> type[BundleHook]:
    """Return the hook; hatchling calls this and looks for the name from pyproject.toml."""
    return BundleHook
