"""The check over the public notebooks: exactly the problems that were found in them by hand."""

import shutil
from collections import defaultdict
from pathlib import Path

import pytest

from notebook.check_table import TABLE
from wuu.notebook.checking import check
from wuu.notebook.topics import Notebook
from wuu.store.home import Home


@pytest.mark.parametrize("name", TABLE)
def test_the_problems_of_a_public_notebook(shared_data: Path, tmp_path: Path, name: str) -> None:
    copy = tmp_path / "memory"
    shutil.copytree(shared_data / "notebooks" / name, copy)
    found: dict[str, list[str]] = defaultdict(list)
    for one in check(Notebook(Home(str(tmp_path)))).problems:
        found[one.code].append(one.file if one.line is None else f"{one.file}:{one.line}")
    assert found == {code: places.split() for code, places in TABLE[name].items()}


def test_every_public_notebook_is_in_the_table(shared_data: Path) -> None:
    assert sorted(TABLE) == sorted(path.name for path in (shared_data / "notebooks").iterdir())
