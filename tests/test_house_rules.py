"""Every house rule objects to a small offending source: a rule that objects to nothing is found out."""

from collections.abc import Callable, Iterator

import pytest

from house import import_rules, rules
from house.modules import Module, parse_module

Rule = Callable[[Module], Iterator[str]]


def _objects(rule: Rule, path: str, source: str) -> bool:
    return bool(list(rule(parse_module(path, source))))


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("text/words.py", "import wuu.store.files"),
        ("text/words.py", "def f():\n    from wuu.store import files"),
        ("text/words.py", "from wuu import store"),
        ("text/words.py", "import wuu.clock"),
        ("errors.py", "from wuu.text import safety"),
        ("store/files.py", "from ..search import index"),
        ("search/index.py", "from wuu.situation.caller import Caller"),
        ("notebook/topics.py", "from importlib import import_module\nimport_module('wuu.cli.output')"),
        (
            "notebook/topics.py",
            "if TYPE_CHECKING:\n    import wuu.cli.root",
        ),
        ("notebook/__init__.py", "from ..cli import root"),
        ("agents/hooks/prompt.py", "from wuu.launch import main"),
        ("strange/new.py", "from wuu.store import files"),
        ("store/home.py", "from wuu.strange import new"),
        ("__init__.py", "from wuu.errors import WuuError"),
    ],
)
def test_an_import_that_does_not_go_down_is_objected_to(path: str, source: str) -> None:
    assert _objects(import_rules.imports_go_down, path, source)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("text/words.py", "from wuu.errors import Caveat"),
        ("text/words.py", "from wuu.text import safety"),
        ("store/files.py", "from . import home"),
        ("store/files.py", "from ..errors import NotFound\nfrom wuu import clock, ids"),
        ("cli/root.py", "from wuu import __version__\nfrom wuu.notebook import actions"),
        ("launch.py", "def main():\n    from wuu.cli.root import root"),
        ("notebook/topics.py", "import os\nfrom wuu.search import index"),
    ],
)
def test_an_import_that_goes_down_is_fine(path: str, source: str) -> None:
    assert not _objects(import_rules.imports_go_down, path, source)


TOPICS = """
from enum import Enum
from typing import NamedTuple, TypeAlias
class Topic(NamedTuple):
    name: str
class Kind(Enum):
    USER = "user"
Names: TypeAlias = tuple[str, ...]
class Reader:
    pass
def read_topic(): ...
LIMIT = 3
"""


@pytest.mark.parametrize(
    ("path", "source", "expected"),
    [
        ("cli/notebook.py", "from wuu.notebook.actions import write", False),
        ("cli/notebook.py", "from wuu.notebook import actions", False),
        ("cli/notebook.py", "import wuu.notebook.actions", False),
        ("cli/notebook.py", "from wuu.notebook.graph import actions", False),
        ("cli/notebook.py", "from wuu.notebook.graph.actions import link", False),
        ("cli/notebook.py", "from wuu.notebook.graph.facts import link", True),
        ("cli/notebook.py", "from wuu.notebook.topics import Kind, Names, Topic", False),
        ("cli/notebook.py", "from wuu.store.files import read_text", False),
        ("notebook/actions.py", "from wuu.notebook.topics import read_topic", False),
        ("cli/notebook.py", "from wuu.notebook.topics import Topic, read_topic", True),
        ("cli/notebook.py", "from wuu.notebook.topics import Reader", True),
        ("cli/notebook.py", "from wuu.notebook.topics import LIMIT", True),
        ("cli/notebook.py", "from wuu.notebook import topics", True),
        ("cli/notebook.py", "import wuu.notebook.topics", True),
        ("cli/notebook.py", "import wuu.notebook", True),
        ("dream/run.py", "def f():\n    from wuu.session.targets import anything", True),
    ],
)
def test_only_the_door_and_values_of_a_room_are_free(path: str, source: str, *, expected: bool) -> None:
    values = import_rules.value_types([parse_module("notebook/topics.py", TOPICS)])
    assert (
        bool(list(import_rules.rooms_are_entered_by_the_door(parse_module(path, source), values))) is expected
    )


@pytest.mark.parametrize(
    ("path", "source", "expected"),
    [
        ("notebook/actions.py", "import click", True),
        ("launch.py", "def main():\n    from click.exceptions import UsageError", True),
        ("text/safety.py", "from rich.console import Console", True),
        ("store/state.py", "import sqlite3", True),
        ("search/ranking.py", "import sqlite3", True),
        ("cli/memory/add.py", "import click\nfrom rich import table", False),
        ("search/index.py", "import sqlite3", False),
    ],
)
def test_libraries_are_known_only_at_home(path: str, source: str, *, expected: bool) -> None:
    assert _objects(import_rules.libraries_stay_home, path, source) is expected


@pytest.mark.parametrize(
    "source",
    [
        "open('a', 'w')",
        "open('a', mode='ab')",
        "open('a', mode)",
        "import io\nio.open('a', 'r+')",
        "import os\nos.fdopen(3, 'wb')",
        "import os\nos.open('a', os.O_RDONLY | os.O_CREAT)",
        "import os\nos.open('a', flags)",
        "import os\nFLAGS = os.O_CREAT\nos.open('a', os.O_RDONLY | FLAGS)",
        "import os\nos.open('a', os.O_RDONLY | getattr(os, 'O_TMPFILE', 0))",
        "import os\nos.open('a', flags=os.O_WRONLY)",
        "import os\nos.write(1, b'')",
        "import os\nos.replace('a', 'b')",
        "import os\nos.fsync(3)",
        "import os\nos.makedirs('a', exist_ok=True)",
        "from os import unlink",
        "import shutil\nshutil.rmtree('a')",
        "from shutil import copyfile",
        "import tempfile",
        "def f():\n    from tempfile import mkstemp",
        "path.write_text('x')",
        "from pathlib import Path\nPath('a').unlink()",
        "from pathlib import Path\nPath('a').replace('b')",
        "from pathlib import Path\nPath('a').open('w')",
    ],
)
def test_writing_outside_the_store_is_objected_to(source: str) -> None:
    assert _objects(rules.only_the_store_writes, "notebook/topics.py", source)
    assert not _objects(rules.only_the_store_writes, "store/files.py", source)


@pytest.mark.parametrize(
    "source",
    [
        "open('a')",
        "open('a', 'rb')",
        "import os\nos.open('a', os.O_RDONLY | os.O_NOFOLLOW)",
        "import os\nFLAGS = os.O_RDONLY | getattr(os, 'O_BINARY', 0)\nos.open('a', FLAGS)",
        "import os\nos.open(os.devnull, os.O_WRONLY)",
        "import os\nos.path.join('a', 'b'); os.stat('a'); os.scandir('a')",
        "'a'.replace('b', 'c')",
        "import shutil\nshutil.which('vi')",
        "from pathlib import Path\nPath('a').open().read(); 'a'.replace('b', 'c')",
        "actions.rename('a', 'b')",
    ],
)
def test_reading_is_free_to_all(source: str) -> None:
    assert not _objects(rules.only_the_store_writes, "notebook/topics.py", source)


@pytest.mark.parametrize(
    ("path", "source", "expected"),
    [
        ("notebook/actions.py", "print('x')", True),
        ("cli/notebook.py", "import sys\nsys.stdout.write('x')", True),
        ("cli/notebook.py", "import click\nclick.echo('x')", True),
        ("cli/output.py", "import sys\nprint('x', file=sys.stdout)", False),
        ("agents/hooks/prompt.py", "import sys\nsys.stdout.write('x')", False),
        ("cli/notebook.py", "import sys\nsys.stderr.isatty()", False),
    ],
)
def test_printing_has_one_place(path: str, source: str, *, expected: bool) -> None:
    assert _objects(rules.only_output_prints, path, source) is expected


@pytest.mark.parametrize(
    ("path", "source", "expected"),
    [
        ("store/files.py", "try: f()\nexcept: pass", True),
        ("store/files.py", "try: f()\nexcept Exception: pass", True),
        ("store/files.py", "try: f()\nexcept (OSError, BaseException) as e: pass", True),
        ("store/files.py", "import contextlib\nwith contextlib.suppress(Exception): f()", True),
        ("store/files.py", "try: f()\nexcept BaseException as e: raise ValueError from e", True),
        ("store/files.py", "try: f()\nexcept (OSError, ValueError): pass", False),
        ("store/files.py", "try: f()\nexcept BaseException:\n    g()\n    raise", False),
        ("cli/root.py", "try: f()\nexcept Exception: pass", False),
    ],
)
def test_catching_everything_has_one_place(path: str, source: str, *, expected: bool) -> None:
    assert _objects(rules.no_broad_except, path, source) is expected


@pytest.mark.parametrize(("lines", "expected"), [(299, False), (300, True)])
def test_a_long_file_is_objected_to(lines: int, *, expected: bool) -> None:
    assert _objects(rules.files_are_short, "text/words.py", "x = 1\n" * lines) is expected


@pytest.mark.parametrize(("source", "expected"), [("", True), ('" "', True), ('"""Words."""', False)])
def test_a_module_without_docstring_is_objected_to(source: str, *, expected: bool) -> None:
    assert _objects(rules.modules_say_what_they_own, "text/words.py", source) is expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("text/utils.py", True),
        ("text/word_helpers.py", True),
        ("store/manager/files.py", True),
        ("text/words.py", False),
    ],
)
def test_a_name_that_says_nothing_is_objected_to(path: str, *, expected: bool) -> None:
    assert _objects(rules.names_say_something, path, "") is expected


def _function(name: str, lines: int, docstring: int = 0) -> str:
    text = ['    """', *["    word"] * (docstring - 2), '    """'] if docstring else []
    return "\n".join([f"def {name}():", *text, *["    x = 1"] * (lines - 1)]) + "\n"


def test_a_function_is_measured_without_docstring_and_decorators() -> None:
    source = "@decorated\n@twice\n" + _function("f", lines=4, docstring=9)
    assert rules.functions([parse_module("text/words.py", source)]) == (("text/words.py:3: f", 4),)


@pytest.mark.parametrize(
    ("lengths", "expected"),
    [
        ([2, 9, 9], 0),
        ([2, 10, 10], 1),
        ([*[3] * 9, 30], 0),
        ([*[3] * 8, 30, 29], 0),
        ([*[3] * 8, 30, 30], 1),
        ([], 0),
    ],
)
def test_functions_that_grow_are_objected_to(lengths: list[int], expected: int) -> None:
    source = "".join(_function(f"f{number}", lines) for number, lines in enumerate(lengths))
    assert len(list(rules.functions_are_small([parse_module("text/words.py", source)]))) == expected
