"""Files are written atomically."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from taichi_aot.driver._files import remove_unfinished, replacing, write_all, write_folder, write_new, write_whole

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@posix
def test_planted_link_is_not_followed(tmp_path: Path) -> None:
    """Writing uses no predictable name beside the file and follows no link in its place."""
    victim, target = tmp_path / "victim", tmp_path / "new.tib"
    victim.write_text("theirs")
    for name in (f"new.tib.{os.getpid()}.part", "new.tib.part", "new.tib"):
        (tmp_path / name).symlink_to(victim)
    write_whole(target, b"ours")
    assert (victim.read_text(), target.read_bytes()) == ("theirs", b"ours")
    assert not target.is_symlink()


@posix
def test_existing_part_is_not_overwritten(tmp_path: Path) -> None:
    victim, part, path = tmp_path / "victim", tmp_path / "part", tmp_path / "path"
    part.symlink_to(victim)
    with pytest.raises(FileExistsError) as raised:
        write_new(part, b"ours", path)
    assert raised.value.filename == str(path)
    assert not victim.exists()


@posix
def test_file_mode_follows_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "new.tib", b"ours")
    finally:
        os.umask(before)
    assert (tmp_path / "new.tib").stat().st_mode & 0o777 == 0o640


@posix
def test_pipe_is_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "new.tib")
    write_whole(tmp_path / "new.tib", b"ours")
    assert (tmp_path / "new.tib").read_bytes() == b"ours"


def test_longest_file_name_works(tmp_path: Path) -> None:
    write_whole(tmp_path / ("n" * 255), b"ours")
    assert names(tmp_path) == ["n" * 255]


def test_failure_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "old.tib").write_text("old")
    missing = tmp_path / "no folder" / "new.pyi"
    with pytest.raises(FileNotFoundError) as raised:
        write_all({tmp_path / "old.tib": b"new", missing: b"new"})
    assert raised.value.filename == str(missing)
    assert names(tmp_path) == ["old.tib"]
    assert (tmp_path / "old.tib").read_text() == "old"


def test_signal_leaves_no_parts(tmp_path: Path) -> None:
    path = tmp_path / "new.tib"

    def end() -> None:
        with replacing([path]) as parts:
            write_new(parts[path], b"ours", path)
            remove_unfinished()
            assert names(tmp_path) == []
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        end()


def write_modules(path: Path, **files: bytes) -> None:
    write_folder(path, files, is_own=lambda name: len(name) == 1)


def test_folder_is_replaced_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "module"
    write_modules(path, a=b"1", b=b"2")
    write_modules(path, b=b"3")
    assert (names(path), (path / "b").read_bytes()) == (["b"], b"3")
    assert names(tmp_path) == ["module"]


def test_other_contents_are_not_replaced(tmp_path: Path) -> None:
    for name in ("file", "folder"):
        (tmp_path / name).mkdir()
    (tmp_path / "file" / "theirs").touch()
    (tmp_path / "folder" / "f").mkdir()
    (tmp_path / "no folder").touch()
    for name, message in (("file", "such as theirs"), ("folder", "such as f"), ("no folder", "not a folder")):
        with pytest.raises(FileExistsError, match=message) as raised:
            write_modules(tmp_path / name, a=b"1")
        assert raised.value.filename == str(tmp_path / name)
    assert names(tmp_path) == ["file", "folder", "no folder"]


@posix
def test_link_to_a_folder_is_replaced(tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    write_modules(theirs, a=b"1")
    (tmp_path / "link").symlink_to(theirs)
    write_modules(tmp_path / "link", a=b"2")
    assert ((theirs / "a").read_bytes(), (tmp_path / "link" / "a").read_bytes()) == (b"1", b"2")
    assert not (tmp_path / "link").is_symlink()


@pytest.mark.parametrize("calls", [1, 2])
def test_failed_folder_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, calls: int) -> None:
    """Whether the old folder cannot be moved away, or the new one not be put in its place."""
    path = tmp_path / "module"
    write_modules(path, a=b"1")
    left, rename = [OSError] * calls, Path.rename

    def failing(part: Path, target: Path) -> Path:
        left.pop()
        if not left:
            left.append(OSError)
            left.append(OSError)
            raise OSError(28, "No space left on device")
        return rename(part, target)

    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises(OSError, match="No space") as raised:
        write_modules(path, a=b"2")
    assert raised.value.filename == str(path)
    assert ((path / "a").read_bytes(), names(tmp_path)) == (b"1", ["module"])
