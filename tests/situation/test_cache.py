"""Where derived files are kept: where platformdirs says, which is not asked on Linux."""

import os
import sys
from pathlib import Path

import platformdirs
import pytest

from wuu.situation.cache import find_cache, prepare_cache


@pytest.mark.parametrize("named", ["", "  ", "/var/cache/x", "/var/cache/x/", "~/y"])
def test_the_place_is_that_of_platformdirs(named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", named)
    monkeypatch.setattr("wuu.store.files.ensure_folder", lambda _: None)
    place = prepare_cache("/home/of/wuu", "memory")
    assert place is not None
    expected = platformdirs.user_cache_dir("wuu", appauthor=False)
    if os.path.isabs(expected):
        assert os.path.normpath(os.path.dirname(os.path.dirname(place))) == os.path.normpath(expected)
    else:
        assert place.startswith(os.path.expanduser("~/.cache/wuu/"))


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere platformdirs answers itself")
def test_on_android_platformdirs_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANDROID_DATA", "/data")
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda *_, **__: "/asked")
    monkeypatch.setattr("wuu.store.files.ensure_folder", lambda _: None)
    assert (prepare_cache("/home/of/wuu", "memory") or "").startswith("/asked/")


def test_a_long_scope_gets_a_name_that_fits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    scopes = [f"workspaces/{'w' * 65}/sessions/{letter * 200}/entries" for letter in "ab"]
    places = [prepare_cache("/home/of/wuu", scope) for scope in scopes]
    assert len({*places}) == 2
    for scope, place in zip(scopes, places, strict=True):
        assert place is not None
        Path(place).write_bytes(b"")
        assert find_cache("/home/of/wuu", scope) == place
