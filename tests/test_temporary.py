"""Temporary folders of killed processes are deleted; those in use are kept."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from taichi_aot.driver._temporary import PREFIX, PROBE, new_path, remove_leftovers, require_space, temporary_folder


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="needs locks on folders")
def test_leftovers_are_deleted_unless_in_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    leftover = tmp_path / f"{PREFIX}killed"
    leftover.mkdir()
    (leftover / "saxpy.ll").touch()
    with temporary_folder() as folder:
        assert names(tmp_path) == [folder.name]
        assert folder.stat().st_mode & 0o777 == 0o700
        (folder / "saxpy.ll").touch()
        remove_leftovers()
        assert names(folder) == ["saxpy.ll"]
    assert names(tmp_path) == []
    assert Path(new_path()).parent == tmp_path


@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full")
def test_full_disk_is_noticed(tmp_path: Path) -> None:
    require_space(tmp_path)
    assert names(tmp_path) == []
    (tmp_path / PROBE).symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left") as raised:
        require_space(tmp_path)
    assert raised.value.filename == str(tmp_path)
