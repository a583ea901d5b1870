"""What the tests of the store share."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from wuu.store import files

_MEMORY_DISK = "/dev/shm"


@pytest.fixture
def unflushed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the disk in peace: that bytes are flushed matters to no test that only kills processes."""
    monkeypatch.setattr(files, "_sync", lambda _: None)


@pytest.fixture
def quick_place(tmp_path: Path) -> Iterator[Path]:
    """Return a folder for thousands of small files: in memory, where the system has such a disk."""
    if not os.access(_MEMORY_DISK, os.W_OK):
        yield tmp_path
        return
    place = Path(tempfile.mkdtemp(prefix="wuu-tests-", dir=_MEMORY_DISK))
    yield place
    shutil.rmtree(place)
