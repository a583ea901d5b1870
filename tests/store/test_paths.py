"""A path of the home never leads out of it, and links that stay inside work (cases O-17 and O-18)."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wuu.errors import UnsafeFile
from wuu.store.paths import locate, resolve

ESCAPES = [
    "",
    ".",
    "..",
    "/",
    "/etc/passwd",
    "../evil",
    "a/../../evil",
    "a/../b",
    "a//b",
    "a/",
    "a/.",
    "./a",
    "a\0b",
    "\0",
    "\ud83d",
]


@pytest.mark.parametrize("path", ESCAPES, ids=ascii)
@pytest.mark.parametrize("function", [resolve, locate])
def test_o17_a_path_that_is_none_is_refused(function: object, path: str, tmp_path: Path) -> None:
    with pytest.raises(UnsafeFile) as raised:
        function(os.path.realpath(tmp_path), path)
    assert raised.value.details["path"] == path


def test_a_name_that_is_not_utf8_can_still_be_named(tmp_path: Path) -> None:
    root = os.path.realpath(tmp_path)
    assert locate(root, "caf\udce9.md") == os.path.join(root, "caf\udce9.md")


def test_what_does_not_exist_resolves(tmp_path: Path) -> None:
    root = os.path.realpath(tmp_path)
    assert resolve(root, "a/b/c.md") == os.path.join(root, "a", "b", "c.md")


@pytest.mark.parametrize("target", ["../outside", "/", "{root}-neighbour", "inside/../../outside"])
def test_o18_a_link_out_is_refused_in_every_part(target: str, tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "inside").mkdir(parents=True)
    (root / "link").symlink_to(target.format(root=root))
    with pytest.raises(UnsafeFile):
        resolve(str(root.resolve()), "link")
    with pytest.raises(UnsafeFile):
        resolve(str(root.resolve()), "link/file.md")
    with pytest.raises(UnsafeFile):
        locate(str(root.resolve()), "link/file.md")


def test_o18_a_link_inside_is_followed_and_a_dangling_one_resolves(tmp_path: Path) -> None:
    root = tmp_path.resolve()
    (root / "real").mkdir()
    (root / "link").symlink_to("real")
    (root / "file.md").symlink_to("real/file.md")
    assert resolve(str(root), "link/a.md") == str(root / "real" / "a.md")
    assert resolve(str(root), "file.md") == str(root / "real" / "file.md")
    assert locate(str(root), "file.md") == str(root / "file.md")


def test_a_loop_of_links_ends(tmp_path: Path) -> None:
    root = tmp_path.resolve()
    (root / "a").symlink_to("b")
    (root / "b").symlink_to("a")
    assert os.path.dirname(resolve(str(root), "a")) == str(root)


def test_the_root_of_the_system_can_be_a_root() -> None:
    assert resolve("/", "no-such-folder-of-wuu/a.md") == "/no-such-folder-of-wuu/a.md"


@given(st.lists(st.text(max_size=5) | st.sampled_from(["..", ".", "", "a", "\0"]), max_size=6).map("/".join))
def test_no_path_at_all_leads_out(path: str) -> None:
    root = os.path.realpath("/no-such-root-of-wuu")
    try:
        place = resolve(root, path)
    except UnsafeFile:
        return
    assert os.path.normpath(place).startswith(root + os.sep)
    assert os.path.normpath(place) == place
