"""What the tests of the index share."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from search.shelf import Shelf, full_shelf
from wuu import clock
from wuu.search.index import SearchIndex, open_index


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.fixture
def wait(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Return a function that lets seconds pass, on the clock of wuu only."""
    ahead = 0.0
    now = clock.now

    def let_pass(seconds: float) -> None:
        nonlocal ahead
        ahead += seconds

    monkeypatch.setattr(clock, "now", lambda: now() + ahead)
    return let_pass


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "index.sqlite")


@pytest.fixture
def index(path: str) -> Iterator[SearchIndex]:
    with open_index(path) as opened:
        yield opened


@pytest.fixture
def built(path: str) -> Shelf:
    """Build the index at `path` of a full shelf."""
    shelf = full_shelf()
    with open_index(path) as index:
        assert index.refresh(shelf.listing(), shelf.load).added == 150
    shelf.newly_loaded()
    return shelf
