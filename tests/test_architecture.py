"""The house keeps its rules: floors, doors, who may write and print, sizes, names (ARCHITECTURE 1, 5, 8).

The rules are functions in `house/import_rules.py` and `house/rules.py`, held here against every file of
src/wuu. `test_house_rules.py` feeds each of them a small offending source.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from house import import_rules, rules
from house.modules import FLOORS, Module, read_modules

Rule = Callable[[Module], Iterator[str]]

RULES: tuple[Rule, ...] = (
    import_rules.imports_go_down,
    import_rules.libraries_stay_home,
    rules.only_the_store_writes,
    rules.only_output_prints,
    rules.no_broad_except,
    rules.files_are_short,
    rules.modules_say_what_they_own,
    rules.names_say_something,
)

# Who is excused from which rule, and why. A line that is no longer needed fails.
EXCUSED: dict[tuple[str, str], str] = {
    ("only_the_store_writes", "store/locks.py"): (
        "a lock file has to be opened for writing, and says beside it who holds it (ARCHITECTURE 2)"
    ),
    ("only_the_store_writes", "cli/output.py"): (
        "a stream that the caller closed is opened to nowhere, before a file of the home takes its place"
    ),
    ("only_the_store_writes", "cli/editor.py"): (
        "an editor needs a file of its own, outside the home, that is gone afterwards"
    ),
}


@pytest.fixture(scope="module")
def modules(repository: Path) -> tuple[Module, ...]:
    return read_modules(repository / "src" / "wuu")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_every_module_keeps(rule: Rule, modules: tuple[Module, ...]) -> None:
    objections = [
        objection
        for module in modules
        if (rule.__name__, module.path) not in EXCUSED
        for objection in rule(module)
    ]
    assert not objections, "\n" + "\n".join(objections)


def test_every_room_is_entered_by_its_door(modules: tuple[Module, ...]) -> None:
    values = import_rules.value_types(modules)
    objections = [
        one for module in modules for one in import_rules.rooms_are_entered_by_the_door(module, values)
    ]
    assert not objections, "\n" + "\n".join(objections)


def test_functions_are_small(modules: tuple[Module, ...]) -> None:
    assert not list(rules.functions_are_small(modules))


def test_every_excuse_is_needed(modules: tuple[Module, ...]) -> None:
    by_name = {rule.__name__: rule for rule in RULES}
    by_path = {module.path: module for module in modules}
    idle = [
        (name, path)
        for name, path in EXCUSED
        if path not in by_path or not list(by_name[name](by_path[path]))
    ]
    assert not idle


def test_every_room_has_a_floor(modules: tuple[Module, ...]) -> None:
    assert {module.room for module in modules} - {"wuu"} <= set(FLOORS)
