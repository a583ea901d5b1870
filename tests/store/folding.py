"""Disks that ignore case: an imitation that works everywhere, and a real one where it can be mounted (O-20).

The imitation is that of vfat: a name is kept as it was first spelled, and found in any spelling.
"""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from store.faults import ReplacedOs
from wuu.store import apply, files, home, journal, paths, reads, recovery

_MODULES = (apply, files, home, journal, paths, reads, recovery)
_IMAGE_BYTES = 16 * 1_048_576
# What makes a file system in an image, and what mounts it from a loop device.
_KINDS = (
    (("mkfs.vfat",), ("mount", "-t", "vfat")),
    (("mkfs.exfat",), ("mount", "-t", "exfat")),
    (("mkfs.exfat",), ("mount.exfat-fuse",)),
)


def _spelled(path: str) -> str:
    """Return `path` as the disk spells what exists of it."""
    found = os.sep
    for part in path.strip(os.sep).split(os.sep):
        names = os.listdir(found) if os.path.isdir(found) else []
        same = [name for name in names if name.casefold() == part.casefold()]
        found = os.path.join(found, part if part in names or not same else same[0])
    return found


def _folding(function: Callable[..., Any]) -> Callable[..., Any]:
    def fold(*args: Any, **options: Any) -> Any:
        return function(*(_spelled(one) if isinstance(one, str) else one for one in args), **options)

    return fold


class _Paths:
    """`os.path`, asking a disk that ignores case."""

    def __getattr__(self, name: str) -> Any:
        function = getattr(os.path, name)
        asks = name in ("exists", "lexists", "isdir", "isfile", "islink", "samefile")
        return _folding(function) if asks else function


@contextlib.contextmanager
def imitation() -> Iterator[None]:
    """Let the store see every disk as one that ignores case."""
    names = ("open", "stat", "lstat", "replace", "unlink", "mkdir", "listdir", "scandir")
    folding = ReplacedOs(path=_Paths(), **{name: _folding(getattr(os, name)) for name in names})
    with contextlib.ExitStack() as stack:
        for module in _MODULES:
            stack.enter_context(mock.patch.object(module, "os", folding))
        yield


@contextlib.contextmanager
def real_disk(place: Path) -> Iterator[Path]:
    """Mount a disk that ignores case and yield its root; skip the test where none can be had."""
    if _ignores_case(place):
        yield place
        return
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        pytest.skip("only root can mount a disk that ignores case")
    image, root = place / "image", place / "disk"
    root.mkdir()
    for make, mount in _KINDS:
        with image.open("wb") as file:
            file.truncate(_IMAGE_BYTES)
        device = _mounted(make, mount, image, root)
        if device is not None:
            try:
                yield root
            finally:
                subprocess.run(["umount", str(root)], check=True)
                subprocess.run(["losetup", "-d", device], check=True)
            return
    pytest.skip("no file system that ignores case can be made and mounted here")


def _mounted(make: tuple[str, ...], mount: tuple[str, ...], image: Path, root: Path) -> str | None:
    if not all(shutil.which(command) for command in (make[0], mount[0], "losetup")):
        return None
    try:
        _run(*make, str(image))
        device = _run("losetup", "-f", "--show", str(image)).strip()
    except subprocess.CalledProcessError:
        return None
    try:
        _run(*mount, device, str(root))
    except subprocess.CalledProcessError:
        _run("losetup", "-d", device)
        return None
    return device


def _run(*command: str) -> str:
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


def _ignores_case(place: Path) -> bool:
    (place / "probe").touch()
    return (place / "PROBE").exists()
