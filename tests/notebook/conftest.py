"""A notebook in a home of its own, and a way to commit plans without the command line."""

from pathlib import Path
from typing import Any

import pytest

from wuu.notebook.topics import Notebook
from wuu.notebook.values import TopicChange
from wuu.store.home import open_home
from wuu.store.transaction import commit


class Shelf:
    """A notebook on disk, with the few moves that tests make over and over."""

    def __init__(self, root: Path) -> None:
        self.folder = root / "memory"
        self.folder.mkdir(parents=True)
        self.notebook = Notebook(open_home(str(root)))

    def put(self, name: str, content: str | bytes) -> None:
        data = content.encode() if isinstance(content, str) else content
        (self.folder / name).write_bytes(data)

    def text(self, name: str) -> str:
        return (self.folder / name).read_bytes().decode()

    def tree(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}

    def commit(self, plan: Any, request: Any) -> TopicChange:
        done = commit(self.notebook.home, lambda home: plan(Notebook(home), request), command="test")
        assert done.outcome is not None
        return done.outcome


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "wuu")
