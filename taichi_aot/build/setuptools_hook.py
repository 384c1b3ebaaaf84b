"""A step of setuptools' ``build`` that builds a project's bundles, also for wheels and editable installations.

A project names `Build` in its pyproject.toml, under ``[tool.setuptools.cmdclass]``.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, ClassVar

from setuptools import Command
from setuptools.command.build import build
from setuptools.command.build_py import build_py
from setuptools.config.pyprojecttoml import load_file
from setuptools.errors import SetupError

from ._options import BuildError
from ._project import ProjectBundle, read_project

__all__ = ["Build", "BuildBundles"]

NAME = "build_taichi_aot"


class Build(build):
    """The command ``build`` with one more step, for the tables ``[tool.taichi-aot.NAME]`` of pyproject.toml."""

    sub_commands: ClassVar[Any] = [*build.sub_commands, (NAME, None)]

    def initialize_options(self) -> None:
        """Read the tables.

        Raises
        ------
        SetupError
            If a table is wrong or missing.
        """
        super().initialize_options()
        try:
            bundles = read_project(load_file("pyproject.toml"), Path.cwd())
        except BuildError as error:
            raise SetupError(f"pyproject.toml: {error}") from error
        self.distribution.cmdclass[NAME] = type(NAME, (BuildBundles,), {"bundles": bundles})


class BuildBundles(Command):
    """Builds the bundles in the source folder, if they are not current, and copies them to the folder of the build.

    It implements the protocol ``setuptools.command.build.SubCommand``.
    """

    description = "build the bundles of [tool.taichi-aot]"
    user_options: ClassVar[list[tuple[str, str, str]] | list[tuple[str, str | None, str]]] = []
    bundles: tuple[ProjectBundle, ...] = ()
    editable_mode = False

    def initialize_options(self) -> None:
        self.build_lib: str | None = None
        self.force: bool | None = None

    def finalize_options(self) -> None:
        self.set_undefined_options("build_py", ("build_lib", "build_lib"), ("force", "force"))

    def run(self) -> None:
        for bundle in self.bundles:
            if self.force or not bundle.is_current:
                try:
                    result = bundle.build()
                except BuildError as error:
                    raise SetupError(str(error)) from error
                self.announce(str(result), level=2)
                for warning in result.warnings:
                    self.warn(f"{bundle.table}: {warning}")
        if not self.editable_mode:
            for target, source in self.get_output_mapping().items():
                self.mkpath(os.path.dirname(target))
                self.copy_file(source, target)

    def get_source_files(self) -> list[str]:
        """Return the files that a source distribution needs."""
        return [os.path.relpath(bundle.source) for bundle in self.bundles]

    def get_outputs(self) -> list[str]:
        """Return the files in the build folder."""
        return list(self.get_output_mapping())

    def get_output_mapping(self) -> dict[str, str]:
        """Return the files in the build folder, and the files from which they are copied."""
        return {self._target(bundle, path): str(path) for bundle in self.bundles for path in bundle.shipped}

    def _target(self, bundle: ProjectBundle, path: Path) -> str:
        """Return the path of a file in the build folder, inside the folder of its package."""
        packages: Any = self.get_finalized_command("build_py", create=True)
        assert isinstance(packages, build_py)
        names: list[str] = self.distribution.packages or []
        folders = {name: Path(packages.get_package_dir(name)).resolve() for name in names}
        inside = [name for name, folder in folders.items() if path.is_relative_to(folder)]
        if not inside:
            raise SetupError(f"{bundle.table}: {path} is not in the folder of a package ({', '.join(names) or 'none'})")
        name = max(inside, key=len)
        return str(Path(self.build_lib or "", *name.split("."), path.relative_to(folders[name])))
