"""The files of one shelf, all of them at once: named by one look into the folder, read without further ones.

Owns the speed of reading thousands of small files; the guards are those of `store/reads.py`, and whatever is
not as plain as expected is read there. It knows nothing of what the files say.
"""

import os
import stat
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from wuu.errors import Caveat, WuuError
from wuu.memory.shelves import Shelf, id_of
from wuu.store.home import Home
from wuu.store.paths import resolve
from wuu.store.reads import MAX_FILE_BYTES, OPEN_GUARDED, decode, problem_of

_FLAGS = os.O_RDONLY | OPEN_GUARDED | getattr(os, "O_BINARY", 0)


class Names(NamedTuple):
    """What stands in a folder, sorted: regular files, folders, and links and special files."""

    files: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    irregular: tuple[str, ...] = ()


def scan_names(home: Home, folder: str) -> Names:
    """Return the names in a folder of the home; one that is not there is empty.

    Raises:
        UnsafeFile: The folder is behind a link that leaves the home.
        IoProblem: The system refused.
    """
    place = resolve(home.root, folder)
    found: tuple[list[str], list[str], list[str]] = ([], [], [])
    try:
        with os.scandir(place) as entries:
            for entry in entries:
                found[_kind(entry)].append(entry.name)
    except FileNotFoundError:
        return Names()
    except OSError as error:
        raise problem_of(error, folder) from error
    return Names(*(tuple(sorted(names)) for names in found))


def ids_of(names: Names) -> list[str]:
    """Return the ids that the files of a shelf stand for, sorted."""
    return [found for found in map(id_of, names.files) if found is not None]


def read_texts(home: Home, folder: str, ids: Iterable[str]) -> Iterator[tuple[str, str | WuuError]]:
    """Yield the text of each file, or what keeps it from being read; one that is gone by now is left out."""
    place = resolve(home.root, folder)
    for one in ids:
        name = f"{one}.md"
        found = _text_or_error(home, f"{place}/{name}", f"{folder}/{name}")
        if found is not None:
            yield one, found


def irregular_caveats(shelf: Shelf, names: Iterable[str]) -> Iterator[Caveat]:
    """Yield the warnings about links and special files on a shelf, which are not read (case O-18)."""
    for name in sorted(names):
        if name.endswith(".md"):
            path = f"{shelf.folder}/{name}"
            note = f"{path} is a link or a special file, and is not read."
            yield Caveat("unsafe_file", note, {"file": path})


def _kind(entry: "os.DirEntry[str]") -> int:
    """Return the place of a name in `Names`."""
    if entry.is_file(follow_symlinks=False):
        return 0
    return 1 if entry.is_dir(follow_symlinks=False) else 2


def _text_or_error(home: Home, place: str, path: str) -> str | WuuError | None:
    try:
        data = _read_quickly(place)
        if data is None:
            data = home.read(path, follow=False)
        return None if data is None else decode(data, path)
    except WuuError as error:
        return error


def _read_quickly(place: str) -> bytes | None:
    """Return the bytes of a small regular file, or None for whatever is to be read with more care."""
    try:
        descriptor = os.open(place, _FLAGS)
    except OSError:
        return None
    try:
        info = os.fstat(descriptor)
        if not stat.S_ISREG(info.st_mode) or info.st_size > MAX_FILE_BYTES:
            return None
        data = os.read(descriptor, info.st_size + 1)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return data if len(data) == info.st_size else None
