"""Paths of files in reports: from the current folder where that is possible."""

import os
from pathlib import Path

import pytest

from wuu.checks.places import Base, current_folder, find_base


@pytest.mark.parametrize(
    ("folder", "current", "expected"),
    [
        ("/work/docs/memory", "/work", "docs/memory/a.md"),
        ("/work/docs/memory", "/work/docs/memory", "a.md"),
        ("/work/docs/memory", "/", "work/docs/memory/a.md"),
        ("/work/docs/memory", "/work/src", "/work/docs/memory/a.md"),
        ("/work/docs/memory", "/work/docs/mem", "/work/docs/memory/a.md"),
        ("/work/docs/memory", None, "/work/docs/memory/a.md"),
        ("/", "/work", "/a.md"),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="the paths are those of POSIX")
def test_a_path_counts_from_the_current_folder_if_the_file_lies_below(
    folder: str, current: str | None, expected: str
) -> None:
    base = find_base(folder, current)
    assert base.place("a.md") == expected
    assert base.absolute == expected.startswith("/")


def test_a_link_into_the_current_folder_counts_as_lying_below(tmp_path: Path) -> None:
    real = tmp_path / "real"
    (real / "memory").mkdir(parents=True)
    (tmp_path / "link").symlink_to(real)
    assert find_base(str(tmp_path / "link" / "memory"), str(real)) == Base("memory", absolute=False)


def test_a_current_folder_that_was_removed_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert current_folder() == os.getcwd()
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert current_folder() is None
