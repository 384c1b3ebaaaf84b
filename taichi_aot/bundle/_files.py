"""Files of modules and bundles: their names, their identity, and the containers that have them.

A container is a folder, an archive (a ZIP), or an archive in memory. The directory of an archive of the usual form is
read here, because importing `zipfile` takes as long as loading a small module. It reads other archives, and explains
what is wrong with damaged ones.
"""

from __future__ import annotations

import contextlib
import errno
import io
import itertools
import os
import stat
import struct
import time
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import IO, TYPE_CHECKING, Any, TypeAlias, cast

from ..values._errors import (
    ArgumentTypeError,
    CorruptedDataError,
    ErrorCode,
    describe,
    short,
    with_code,
)
from ..values._items import Record, did_you_mean
from ._codec import sha256

if TYPE_CHECKING:
    import zipfile
    from collections.abc import Callable, Sequence

    from typing_extensions import Buffer


LLVM_METADATA, GFX_METADATA = "metadata.tcb", "metadata.json"  # the file that determines the format
LLVM_GRAPHS, GFX_GRAPHS = "graphs.tcb", "graphs.json"
CODE_SUFFIX = ".ll"  # of a kernel of an LLVM module
DESCRIPTION = "bundle.json"  # beside the modules of a bundle
PLAN = "plan.json"  # beside the files of a module
LIBRARY = "library-"  # begins the names of files that only the library is given
OWN_CODE = "code-"  # begins those of SPIR-V in place of Taichi's
CONTENTS, CONTENTS_SUFFIX = "field-", ".bin"  # begin and end of those of the contents of fields
# The kinds of CPU that machine code is for: the levels of the x86-64 psABI; armv8-a; armv8.2-a with half precision.
NATIVE_TARGETS = ("x86-64-v2", "x86-64-v3", "x86-64-v4", "aarch64", "aarch64-v8.2")
NATIVE_CODE = {target: f"native-{target}.so" for target in NATIVE_TARGETS}
PTX_SUFFIX, CUBIN_SUFFIX = ".ptx", ".cubin"  # KERNEL.ptx, KERNEL.sm_90.cubin
ZIP_START = b"PK"  # of an archive
# Bytes of files in JSON, far above real ones: of modules, and beside them.
JSON_BYTES, DESCRIPTION_BYTES = 1 << 28, 1 << 26
OWN = {PLAN, DESCRIPTION, *NATIVE_CODE.values()}


def is_own_file(name: str) -> bool:
    """Whether a file of a module is this package's, and not Taichi's own."""
    return name in OWN or name.startswith((LIBRARY, OWN_CODE, CONTENTS)) or name.endswith((PTX_SUFFIX, CUBIN_SUFFIX))


def size_limit(name: str) -> int | None:
    """The most bytes of a file in JSON; None for other files."""
    if name == DESCRIPTION:
        return DESCRIPTION_BYTES
    return JSON_BYTES if name.endswith(".json") else None


Source: TypeAlias = "str | os.PathLike[str] | os.PathLike[bytes] | Buffer"


class Files(Mapping[str, bytes]):
    """The files of a module by name, equal if their contents are; those of an archive are decompressed on access."""

    __slots__ = ("_archive", "_folder", "_read", "sizes")

    def __init__(
        self,
        sizes: dict[str, int],
        read: Callable[[Sequence[str]], dict[str, bytes]],
        archive: bytes = b"",
        folder: str = "",
    ) -> None:
        self.sizes: dict[str, int] = sizes  # the size of each file in bytes
        self._read = read  # returns the contents of files by name
        self._archive = archive  # the archive that has them
        self._folder = folder  # the folder that they were read from, for messages

    @classmethod
    def of(cls, files: Mapping[str, bytes], folder: str = "") -> Files:
        sizes = {name: len(data) for name, data in files.items()}
        return cls(sizes, lambda names: {name: files[name] for name in names}, folder=folder)

    def only(self, names: Iterable[str]) -> Files:
        """Those of these names."""
        sizes = {name: self.sizes[name] for name in names if name in self.sizes}
        return Files(sizes, self._read, self._archive, self._folder)

    @property
    def is_folder(self) -> bool:
        """Whether they were read from a folder, and so have no checksums."""
        return bool(self._folder)

    @property
    def digest(self) -> bytes:
        """SHA-256 of names and contents."""
        digest = sha256()
        for name in sorted(self):
            digest.update(f"{name}\0{self.sizes[name]}\0".encode(errors="surrogateescape"))
            digest.update(self[name])
        return digest.digest()

    def __getitem__(self, name: str) -> bytes:
        size = self.sizes[name]  # a KeyError for other names of the archive
        return self._read((name,))[name] if size else b""

    def read(self, names: Sequence[str]) -> dict[str, bytes]:
        """The contents of several files, which takes less than one by one."""
        full = [name for name in names if self.sizes[name]]
        return {**dict.fromkeys(names, b""), **self._read(full)}

    def __contains__(self, name: object) -> bool:
        return name in self.sizes

    def __iter__(self) -> Iterator[str]:
        return iter(self.sizes)

    def __len__(self) -> int:
        return len(self.sizes)

    def __eq__(self, other: object) -> bool:
        if type(other) is not Files or self.sizes != other.sizes:
            return False
        is_same_archive = bool(self._archive) and self._archive == other._archive
        return is_same_archive or all(self[name] == other[name] for name in self)

    __hash__ = None  # type: ignore[assignment]


def code_digest(data: bytes) -> str:
    """SHA-256 of a file, in hexadecimal digits."""
    return sha256(data).hexdigest()


def check_digest(name: str, data: bytes, digest: str, where: str) -> None:
    """Raise CorruptedDataError if a file does not have the digest that another one, `where`, states."""
    if code_digest(data) != digest:
        raise CorruptedDataError(f"{name} has another digest than {where} states: copy or build the module again")


Stamp: TypeAlias = "tuple[tuple[str, tuple[int, int, int, tuple[int, int]]], ...]"

# Files that were changed while they were read, or soon after with the same time, are read again.
SETTLED_NS = 2_000_000_000


def stamp_of(source: Source) -> Stamp | None:
    """The path of a module with the identities, sizes and times of its files, which change whenever one of them does.

    None for a module in memory, and for files that are missing or were changed in the last two seconds.
    """
    stamp = identity_of(source) if isinstance(source, str | os.PathLike) else None
    if stamp is None or max(max(times) for _, (*_, times) in stamp) > time.time_ns() - SETTLED_NS:
        return None
    return stamp


def identity_of(path: str | os.PathLike[str] | os.PathLike[bytes]) -> Stamp | None:
    """The path with the identities, sizes and times of its files, however young; None if a file is missing."""
    try:
        real = os.fsdecode(os.path.realpath(path))
        facts = {real: os.stat(real)}
        if stat.S_ISDIR(facts[real].st_mode):
            with os.scandir(real) as entries:
                facts |= {entry.name: entry.stat() for entry in entries}
    except (OSError, ValueError):
        return None
    return tuple(
        (name, (fact.st_dev, fact.st_ino, fact.st_size, (fact.st_mtime_ns, fact.st_ctime_ns)))
        for name, fact in sorted(facts.items())
    )


# Far above real modules (thousands of kernels), and small enough to reject before memory runs out.
MAX_FILES = 100_000
MAX_TOTAL_BYTES = 1 << 30
SUFFIXES = (CONTENTS_SUFFIX, ".tcb", ".json", ".ll", ".spv", PTX_SUFFIX, CUBIN_SUFFIX)
OTHER_NAMES = {"__version__", "__content__", *NATIVE_CODE.values()}
ARCHIVE_SUFFIX = ".tcm"  # of the modules in a bundle
READ_SUFFIXES = (*SUFFIXES, ARCHIVE_SUFFIX)
LFS_START = b"version https://git-lfs."
ENTRY_START, ENTRY_SIZE = b"PK\x03\x04", 30  # of the header of an entry of a ZIP
NAME_SIZES = struct.Struct("<HH")  # of the name and of what follows it, the last numbers of the header
END, END_START = struct.Struct("<4s4H2LH"), b"PK\x05\x06"  # what follows the directory
ITEM, ITEM_START = struct.Struct("<6x3H4x3L3H8xL"), b"PK\x01\x02"  # an entry of the directory, before its name
NEWEST_ZIP, ELSEWHERE = 63, 0xFFFFFFFF  # the version that zipfile reads; a number that is stated somewhere else
STORED, DEFLATED = 0, 8  # ways to compress an entry
PLAIN_FLAGS = 0x80E  # of entries: a level of compression, sizes behind the contents, a name that is not ASCII
MAX_PATH_BYTES = 4096
SMALLEST_LIMIT = DESCRIPTION_BYTES  # of a file by its name
UNIX = 3  # the system that archives state on every system


class Container:
    """The files of an open module or bundle, which are read on demand."""

    def __init__(
        self,
        where: str,
        readers: Mapping[str, Callable[[int], bytes]],
        keep: Callable[[Sequence[str]], Files] | None = None,
    ) -> None:
        self.where = where  # its name for messages
        # The files that belong to a module or bundle, in the container's order.
        self.names: tuple[str, ...] = tuple(readers)
        self._readers = readers
        self._keep = keep  # of an archive: returns files that can be read after it is closed
        self._left = MAX_TOTAL_BYTES

    def read(self, name: str) -> bytes:
        """The contents of a file; CorruptedDataError if it is damaged or if all that was read is too large."""
        data = self._readers[name](self._left)
        self._left -= len(data)
        return data

    def read_module(self) -> Files:
        """All files of a module. Those of an archive can be read later, and are checked then."""
        names = [name for name in self.names if not name.endswith(ARCHIVE_SUFFIX)]
        return self._keep(names) if self._keep else Files.of({name: self.read(name) for name in names}, self.where)


def is_bundle(container: Container) -> bool:
    """Whether a container is a bundle: it has a description and no module of its own."""
    return DESCRIPTION in container.names and not {LLVM_METADATA, GFX_METADATA} & set(container.names)


@contextlib.contextmanager
def open_source(source: Source, name: str = "the module") -> Generator[Container]:
    """Open the container of a module or bundle; messages call one in memory by the name."""
    if isinstance(source, str | os.PathLike):
        path = os.fsdecode(source)
    else:
        data = to_bytes(source)
        if not (isinstance(source, bytes) and _is_path(data)):
            with _open_archive(name, data) as container:
                yield container
            return
        path = os.fsdecode(data)
        if not os.path.exists(path):
            reason = f"{os.strerror(errno.ENOENT)} (bytes that do not begin with 'PK', as archives do, are a path)"
            raise with_code(FileNotFoundError(errno.ENOENT, reason, path), ErrorCode.CORRUPTED_DATA)
    try:
        with _open_path(path) as container:
            yield container
    except OSError as error:
        if error.filename == path and error.strerror == os.strerror(errno.ENOENT):
            error.strerror = f"{error.strerror}{similar_files(path)}"
        with_code(error, ErrorCode.CORRUPTED_DATA)  # as C reports what it cannot read
        raise


def pack_reproducible(files: Mapping[str, bytes], *, stored: bool = False) -> bytes:
    """The files as one archive, in order of their names and without dates; deflated, unless they are `stored`."""
    import zipfile

    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name)  # of 1980
            entry.create_system = UNIX
            archive.writestr(entry, files[name], zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def to_bytes(source: object) -> bytes:
    """The bytes of a module in memory; TypeError if it is no buffer of bytes."""
    try:
        view = memoryview(source)  # type: ignore[arg-type]
    except TypeError:
        raise ArgumentTypeError(f"a module is a path or the bytes of a .tcm archive, not {describe(source)}") from None
    if "O" in view.format:
        raise ArgumentTypeError("a module is a path or the bytes of a .tcm archive, not a buffer of Python objects")
    _check_size("the module", "", view.nbytes, MAX_TOTAL_BYTES)
    return view.tobytes()


def _is_path(data: bytes) -> bool:
    """Whether bytes are an encoded path, as ``os.fsencode`` returns it, and not an archive."""
    return 0 < len(data) <= MAX_PATH_BYTES and b"\0" not in data and not data.startswith(ZIP_START)


@contextlib.contextmanager
def _open_path(name: str) -> Generator[Container]:
    if not name:
        raise FileNotFoundError(errno.ENOENT, "the path of a module is empty", name)
    where = name.encode(errors="backslashreplace").decode()
    if os.path.isdir(name):
        yield _open_folder(where, name)
        return
    with _open_file(where, name) as file:
        _check_size(where, "", os.fstat(file.fileno()).st_size, MAX_TOTAL_BYTES)
        data = file.read(MAX_TOTAL_BYTES)
    with _open_archive(where, data) as container:
        yield container


def _open_file(where: str, path: str) -> IO[bytes]:
    """Open a regular file; reading other files could block or be endless."""
    # Opening a FIFO would wait for a writer.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    file = os.fdopen(os.open(path, flags), "rb")
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return file
    file.close()
    raise CorruptedDataError(f"{where} is not an AOT module: {os.path.basename(path)!r} is not a regular file")


def is_module_file(name: str) -> bool:
    """Whether a file of that name can belong to a module."""
    return (name in OTHER_NAMES or name.endswith(SUFFIXES)) and is_unicode(name)


def is_unicode(text: str) -> bool:
    """Whether a text can be UTF-8, as those in a module's metadata are: names and JSON can have lone surrogates."""
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


def _is_read(name: str) -> bool:
    return is_module_file(name) or name.endswith(ARCHIVE_SUFFIX)


def _open_folder(where: str, path: str) -> Container:
    def reader(name: str) -> Callable[[int], bytes]:
        def read(limit: int) -> bytes:
            own = size_limit(name) or limit
            with _open_file(where, os.path.join(path, name)) as file:
                data = file.read(min(limit, own) + 1)
            _check_size(where, name, len(data), limit)
            return data

        return read

    names = [name for name in sorted(os.listdir(path)) if _is_read(name) and os.path.isfile(os.path.join(path, name))]
    _check_count(where, len(names))
    return Container(where, {name: reader(name) for name in names})


class _Entry(Record):
    """What is read of an entry of an archive: attributes of ``zipfile.ZipInfo``."""

    filename: str
    orig_filename: str
    flag_bits: int
    compress_type: int
    CRC: int
    compress_size: int
    file_size: int
    header_offset: int


_new_entry = cast("Callable[[type[_Entry], tuple[Any, ...]], _Entry]", tuple[Any, ...].__new__)  # there are many


@contextlib.contextmanager
def _open_archive(where: str, data: bytes) -> Generator[Container]:
    try:
        entries = _entries(where, _usual_directory(data) or _other_directory(where, data))
    except Exception as reason:
        raise _unsound(where, reason) from reason
    unpacked = _Unpacked(where, data, entries)

    def read(name: str, limit: int) -> bytes:
        if entries[name].file_size > min(limit, SMALLEST_LIMIT):
            _check_size(where, name, entries[name].file_size, limit)
        return unpacked.read((name,))[name]

    def keep(names: Sequence[str]) -> Files:
        sizes = {name: entries[name].file_size for name in names}
        _check_size(where, "", sum(sizes.values()), MAX_TOTAL_BYTES)
        for name in sizes:
            if sizes[name] > SMALLEST_LIMIT:
                _check_size(where, name, sizes[name], MAX_TOTAL_BYTES)
        return Files(sizes, unpacked.read, data)

    yield Container(where, {name: partial(read, name) for name in entries}, keep)


def _usual_directory(data: bytes) -> list[_Entry]:
    """The entries of an archive of the form that builds and most programs write; empty for others."""
    at = len(data) - END.size
    if at < 0 or not data.startswith(END_START, at):
        return []
    _, disk, first, here, count, size, begin, comment = END.unpack_from(data, at)
    if disk or first or comment or here != count or begin + size != at:
        return []
    found: list[_Entry] = []
    is_whole = False  # the first entry begins the archive
    for _ in range(count):
        if begin + ITEM.size > at or not data.startswith(ITEM_START, begin):
            return []
        version, flags, method, crc, packed, plain, name_size, extra, remark, offset = ITEM.unpack_from(data, begin)
        encoded = data[begin + ITEM.size : begin + ITEM.size + name_size]
        begin += ITEM.size + name_size + extra + remark
        is_usual = version <= NEWEST_ZIP and not flags & ~PLAIN_FLAGS and ELSEWHERE not in (packed, plain, offset)
        if not is_usual or not encoded.isascii() or b"\0" in encoded or b"\\" in encoded:
            return []
        name, is_whole = encoded.decode(), is_whole or not offset
        facts = name, name, flags, method, crc, packed, plain, offset
        found.append(_new_entry(_Entry, facts))
    return found if begin == at and is_whole else []


def _other_directory(where: str, data: bytes) -> list[_Entry]:
    """The entries of any archive, by zipfile, or the reason why it is none."""
    import zipfile

    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except zipfile.BadZipFile as error:
        raise zipfile.BadZipFile(_what_it_is(where, data, error)) from None
    with archive:
        _check_begin(data, archive)
        return [_Entry(*(getattr(each, name) for name in _Entry._fields)) for each in archive.infolist()]


class _Unpacked:
    """The contents of the entries of an archive, each checked when it is first read."""

    def __init__(self, where: str, data: bytes, entries: Mapping[str, _Entry]) -> None:
        self._where = where
        self._data = data
        self._entries = entries
        self._known: dict[str, bytes] = {}

    def read(self, names: Sequence[str]) -> dict[str, bytes]:
        """The contents of entries by name."""
        known, data = self._known, self._data
        try:
            for name in names:
                if name in known:
                    continue
                entry = self._entries[name]
                at = entry.header_offset
                contents = b""
                if not entry.flag_bits & ~PLAIN_FLAGS and data.startswith(ENTRY_START, at):
                    name_size, extra_size = NAME_SIZES.unpack_from(data, at + ENTRY_SIZE - NAME_SIZES.size)
                    begin = at + ENTRY_SIZE + name_size + extra_size
                    contents = data[begin : begin + entry.compress_size]
                    is_same = data[at + ENTRY_SIZE : at + ENTRY_SIZE + name_size] == entry.orig_filename.encode()
                    if entry.compress_type == DEFLATED and is_same:
                        contents = zlib.decompressobj(-zlib.MAX_WBITS).decompress(contents, entry.file_size + 1)
                    elif entry.compress_type != STORED or not is_same:
                        contents = b""
                is_sound = len(contents) == entry.file_size and zlib.crc32(contents) == entry.CRC
                # For other archives use zipfile, which is slower, or explains what is wrong.
                known[name] = contents if is_sound else self._read_slowly(name)
        except Exception as reason:
            raise _unsound(self._where, reason) from reason
        return {name: known[name] for name in names}

    def _read_slowly(self, name: str) -> bytes:
        import zipfile

        entry = self._entries[name]
        with zipfile.ZipFile(io.BytesIO(self._data)) as archive, archive.open(entry.filename) as member:
            return member.read(entry.file_size)


def _what_it_is(where: str, data: bytes, error: Exception) -> str:
    """Return the kind of a file that zipfile cannot open, and the remedy."""
    begin = data[: len(LFS_START)]
    if begin.startswith(ENTRY_START):
        return "it is cut off: it has no directory at its end; copy or build it again"
    if begin.startswith(ZIP_START):
        return f"it is cut off or damaged ({error}); build or copy it again"
    if where.endswith(".py"):
        target = f"{where.removesuffix('.py')}.tib"
        return f"it is Python source; build it with `taichi-aot build {where} -o {target}`, and load {target}"
    if where.endswith(SUFFIXES):
        return "it is one of the files of a module; load their folder"
    if begin == LFS_START:
        return "it is a pointer of Git LFS; fetch its contents with `git lfs pull`"
    if not begin:
        return "it is empty; build or copy it again"
    return f"it begins with {begin[:8]!r}, and archives with b'PK'; load what `taichi-aot build` or save() wrote"


def _check_begin(data: bytes, archive: zipfile.ZipFile) -> None:
    """Reject an archive that lacks its first bytes, and a bundle that was cut off behind one of its modules.

    A bundle stores them as they are, so that the end of such a file is the end of the module's archive, which zipfile
    then reads: it accepts other data before an archive.
    """
    import zipfile

    offsets = [entry.header_offset for entry in archive.infolist()]
    if min(offsets, default=0) < 0:
        raise zipfile.BadZipFile("its first bytes are missing; build or copy it again")
    if data.startswith(ENTRY_START) and 0 not in offsets:
        raise zipfile.BadZipFile("it is cut off: its directory does not have its first file; copy or build it again")


def _entries(where: str, directory: Sequence[_Entry]) -> dict[str, _Entry]:
    entries: dict[str, _Entry] = {}
    for entry in directory:  # without a call for each
        name = entry.filename
        if not (name.endswith(READ_SUFFIXES) or name.rpartition("/")[2] in OTHER_NAMES):
            continue
        if "/" in name:
            raise CorruptedDataError(
                f"{where}: the archive has its files in the folder {os.path.dirname(name)!r}; put them at its top level"
            )
        if name in entries:
            raise CorruptedDataError(f"{where}: the archive contains {name!r} twice")
        if name.isascii() or is_unicode(name):
            entries[name] = entry
    if len(entries) > MAX_FILES:
        _check_count(where, len(entries))
    return entries


def _unsound(where: str, reason: Exception) -> Exception:
    """Return CorruptedDataError in place of the exceptions of zipfile and its decoders: BadZipFile, zlib.error, ..."""
    if isinstance(reason, CorruptedDataError | MemoryError):
        return reason
    suffix = ".tib" if where.endswith(".tib") else ".tcm"
    return CorruptedDataError(f"{where} is not a sound {suffix} archive: {reason or type(reason).__name__}")


def _check_size(where: str, name: str, size: int, limit: int) -> None:
    """Raise for contents, or a file of this name, that are too large, before they are decompressed."""
    if size > limit:
        raise CorruptedDataError(f"{where} is too large: over {MAX_TOTAL_BYTES} bytes")
    own = size_limit(name) if size > SMALLEST_LIMIT else None
    if own is not None and size > own:
        raise CorruptedDataError(f"{where}: {name} is too large: over {own} bytes")


def _check_count(where: str, count: int) -> None:
    if count > MAX_FILES:
        raise CorruptedDataError(f"{where} is too large: over {MAX_FILES} files")


MOST_NAMES = 5  # files that a message lists
MOST_FILES = 10_000  # of a folder that are looked at


def similar_files(path: str) -> str:
    """Return what to write instead of the path of a file that does not exist; empty if nothing is like it."""
    folder, name = os.path.split(path)
    try:
        with os.scandir(folder or ".") as entries:
            names = sorted(entry.name for entry in itertools.islice(entries, MOST_FILES))
    except NotADirectoryError:
        return ""
    except FileNotFoundError:
        return f"; there is no folder {short(folder)}"
    except OSError:
        return ""
    if name in names:  # a link to nowhere
        return ""
    suffix = os.path.splitext(name)[1]
    modules = [each for each in (f"{name}.tib", f"{name}.tcm") if each in names]
    suggestion = did_you_mean(name, modules or [each for each in names if each.endswith((suffix, ".tib", ".tcm"))])
    if suggestion:
        return suggestion
    same = [each for each in names if suffix and each.endswith(suffix)]
    return (
        f"; its folder has {', '.join(map(short, same[:MOST_NAMES]))}{', ...' * (len(same) > MOST_NAMES)}"
        if same
        else ""
    )
