"""Files are written atomically; temporary folders of killed processes are deleted, and those in use are kept."""

import os
import socket
import sys
from pathlib import Path

import pytest

from taichi_aot import ArgumentTypeError, InvalidArgumentError
from taichi_aot.driver._files import (
    output_path,
    remove_unfinished,
    replacing,
    require_file,
    write_all,
    write_folder,
    write_new,
    write_whole,
)
from taichi_aot.driver._host import PREFIX, PROBE, new_path, remove_leftovers, require_space, temporary_folder

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX")


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@posix
def test_name_of_a_part_cannot_be_guessed(tmp_path):
    victim, target = tmp_path / "victim", tmp_path / "new.tib"
    victim.write_text("theirs")
    for name in (f"new.tib.{os.getpid()}.part", "new.tib.part"):
        (tmp_path / name).symlink_to(victim)
    write_whole(target, b"ours")
    assert (victim.read_text(), target.read_bytes()) == ("theirs", b"ours")


@posix
def test_file_behind_links_is_written(tmp_path):
    (tmp_path / "folder").mkdir()
    file, first, second = tmp_path / "folder" / "old.tib", tmp_path / "first", tmp_path / "second"
    first.symlink_to(Path("folder", "old.tib"))
    second.symlink_to("first")
    for data in (b"1", b"2"):  # which exists the second time
        write_whole(second, data)
        assert (file.read_bytes(), first.is_symlink(), second.is_symlink()) == (data, True, True)
    assert (names(tmp_path), names(file.parent)) == (["first", "folder", "second"], ["old.tib"])
    first.unlink()
    first.symlink_to("second")
    with pytest.raises(OSError, match="symbolic links") as raised:
        write_whole(second, b"3")
    assert raised.value.filename == str(second)


@posix
def test_permissions_are_kept(tmp_path):
    path = tmp_path / "old.tib"
    for mode in (0o600, 0o751, 0o666):
        path.touch()
        path.chmod(mode)
        write_whole(path, b"new")
        assert path.stat().st_mode & 0o7777 == mode


@posix
def test_existing_part_is_not_overwritten(tmp_path):
    victim, part, path = tmp_path / "victim", tmp_path / "part", tmp_path / "path"
    part.symlink_to(victim)
    with pytest.raises(FileExistsError) as raised:
        write_new(part, b"ours", path)
    assert raised.value.filename == str(path)
    assert not victim.exists()


@posix
def test_file_mode_follows_the_umask(tmp_path):
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "new.tib", b"ours")
    finally:
        os.umask(before)
    assert (tmp_path / "new.tib").stat().st_mode & 0o777 == 0o640


@posix
@pytest.mark.parametrize("is_link", [False, True])
@pytest.mark.parametrize("kind", ["pipe", "socket", "folder"])
def test_only_files_are_replaced(tmp_path, kind, is_link, monkeypatch):
    monkeypatch.chdir(tmp_path)  # the path of a socket is short
    if kind == "pipe":
        os.mkfifo("other")
    elif kind == "folder":
        Path("other").mkdir()
    else:
        with socket.socket(socket.AF_UNIX) as opened:
            opened.bind("other")
    Path("link").symlink_to("other")
    before = os.lstat("other")
    path = Path("link" if is_link else "other")
    with pytest.raises(OSError, match="folder" if kind == "folder" else "pipe, device or socket") as raised:
        write_all({Path("new"): b"ours", path: b"ours"})
    assert raised.value.filename == str(path)
    assert (os.lstat("other"), names(tmp_path)) == (before, ["link", "other"])


def test_device_is_not_replaced():
    with pytest.raises(OSError, match="device") as raised:
        require_file(Path(os.devnull))
    assert raised.value.filename == os.devnull


@pytest.mark.parametrize("kind", [str, os.fsencode, Path])
def test_output_path(kind):
    assert output_path(kind("folder/new.tib")) == Path("folder", "new.tib")


@pytest.mark.parametrize(
    ("path", "error", "message"),
    [
        ("", FileNotFoundError, "the path of the file to write is empty"),
        (b"", FileNotFoundError, "the path of the file to write is empty"),
        ("new.tib/", IsADirectoryError, "names a folder, not a file"),
        (b"folder/", IsADirectoryError, "names a folder, not a file"),
        ("a\0b", InvalidArgumentError, r"no file can have the path 'a\\x00b'"),
        (None, ArgumentTypeError, "a path is a str, bytes or a path object, not NoneType"),
        (3, ArgumentTypeError, "not int 3"),
    ],
)
def test_wrong_output_path(path, error, message):
    with pytest.raises(error, match=message):
        output_path(path)


def test_longest_file_name_works(tmp_path):
    write_whole(tmp_path / ("n" * 255), b"ours")
    assert names(tmp_path) == ["n" * 255]


def test_failure_changes_nothing(tmp_path):
    (tmp_path / "old.tib").write_text("old")
    missing = tmp_path / "no folder" / "new.pyi"
    with pytest.raises(FileNotFoundError) as raised:
        write_all({tmp_path / "old.tib": b"new", missing: b"new"})
    assert raised.value.filename == str(missing)
    assert names(tmp_path) == ["old.tib"]
    assert (tmp_path / "old.tib").read_text() == "old"


def test_signal_leaves_no_parts(tmp_path):
    path = tmp_path / "new.tib"

    def end():
        with replacing([path]) as parts:
            write_new(parts[path], b"ours", path)
            remove_unfinished()
            assert names(tmp_path) == []
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        end()


def write_modules(path, **files):
    write_folder(path, files, is_own=lambda name: len(name) == 1)


def test_folder_is_replaced_as_a_whole(tmp_path):
    path = tmp_path / "module"
    write_modules(path, a=b"1", b=b"2")
    write_modules(path, b=b"3")
    assert (names(path), (path / "b").read_bytes()) == (["b"], b"3")
    assert names(tmp_path) == ["module"]


def test_other_contents_are_not_replaced(tmp_path):
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
def test_folder_behind_a_link_is_replaced(tmp_path):
    folder, link = tmp_path / "folder", tmp_path / "link"
    write_modules(folder, a=b"1")
    link.symlink_to(folder)
    write_modules(link, b=b"2")
    assert (names(folder), (folder / "b").read_bytes(), link.is_symlink()) == (["b"], b"2", True)


@pytest.mark.parametrize("calls", [1, 2])
def test_failed_folder_leaves_the_old_one(tmp_path, monkeypatch, calls):
    """Whether the old folder cannot be moved away, or the new one not be put in its place."""
    path = tmp_path / "module"
    write_modules(path, a=b"1")
    left, rename = [OSError] * calls, Path.rename

    def failing(part, target):
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


# Temporary folders.


@pytest.mark.skipif(sys.platform == "win32", reason="needs locks on folders")
def test_leftovers_are_deleted_unless_in_use(tmp_path, monkeypatch):
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
def test_full_disk_is_noticed(tmp_path):
    require_space(tmp_path)
    assert names(tmp_path) == []
    (tmp_path / PROBE).symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left") as raised:
        require_space(tmp_path)
    assert raised.value.filename == str(tmp_path)
