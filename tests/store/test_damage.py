"""Every state file deleted, emptied, cut or with a bit flipped: what commands then say; no note is lost.

docs/reference/damage.md says the same in words, and is held to these tables.
"""

import os
import re
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from house.invocation import Invoke, Ran
from store.damaged import BODY, DAMAGES, NOTES, STATE_FILES, StateFile, furnish
from wuu.store import home as home_module

pytestmark = pytest.mark.usefixtures("unflushed")

COMMANDS = {
    "list": ("notebook", "list"),
    "search": ("notebook", "search", "line"),
    "write": ("notebook", "write", "new.md", "new text\n", "--description", "d"),
    "repeat": (
        *("notebook", "write", "owl.md", BODY.format("owl.md"), "--description", "d"),
        *("--request-id", "first"),
    ),
    "budget": ("notebook", "budget"),
}
ALL = tuple(COMMANDS)
BROKEN = tuple(name for name in DAMAGES if name != "deleted")

# What is not "ok": for a file and some damages, the commands that fail and the code they fail with.
FAILING: dict[str, list[tuple[tuple[str, ...], tuple[str, ...], str]]] = {
    "memory/MEMORY.md": [(("half", "high bit"), ("write", "budget"), "not_utf8")],
    "settings.json": [
        (("empty", "half", "first bit", "last bit"), ("budget",), "settings_invalid"),
        (("high bit",), ("budget",), "not_utf8"),
    ],
    "home.json": [(("empty", "half", "first bit", "last bit", "high bit"), ALL, "corrupt")],
    "receipts/<time>-<id>-<key>.json": [
        (("deleted",), ("repeat",), "already_exists"),
        (("empty", "half", "first bit", "last bit", "high bit"), ("repeat",), "corrupt"),
    ],
}
# What a command warns of beyond what it warns of in the home without damage.
WARNING = {
    "memory/MEMORY.md": {"not_utf8", "unsafe_line"},
    "memory/<topic>.md": {"not_utf8"},
    "journal/<id>.intent": {"recovery_needed"},
    "settings.json": {"settings_unknown"},
}


class Furnished(NamedTuple):
    """A home with everything in it, and a copy of it to start anew from."""

    root: Path
    copy: Path

    def restore(self) -> None:
        shutil.rmtree(self.root)
        shutil.copytree(self.copy, self.root)

    def notes(self) -> dict[str, bytes]:
        """Return the notebook without temporary files."""
        folder = self.root / "memory"
        return {path.name: path.read_bytes() for path in folder.iterdir() if path.name[0] != "."}


@pytest.fixture
def furnished(tmp_path: Path, invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> Furnished:
    monkeypatch.setattr(home_module, "host_name", lambda: "host")  # so that every bit is always the same one
    root = Path(os.environ["WUU_HOME"])
    furnish(root, invoke)
    shutil.copytree(root, tmp_path / "copy")
    return Furnished(root, tmp_path / "copy")


def damage_file(place: Path, damage: str) -> None:
    data = DAMAGES[damage](place.read_bytes())
    if data is None:
        place.unlink()
    else:
        place.write_bytes(data)


def _expected(name: str, damage: str, command: str) -> str:
    for damages, commands, code in FAILING.get(name, []):
        if damage in damages and command in commands:
            return code
    return "ok"


def code_of(ran: Ran) -> str:
    failures = ran.json()["errors"]
    return failures[0]["code"] if failures else "ok"


def _usual(furnished: Furnished, invoke: Invoke) -> dict[str, set[str]]:
    """Return the warnings of each command in the home without damage."""
    found = {}
    for name, arguments in COMMANDS.items():
        furnished.restore()
        found[name] = {one["code"] for one in invoke(*arguments, "--json").json()["warnings"]}
    return found


@pytest.mark.slow
@pytest.mark.parametrize("state", STATE_FILES, ids=lambda state: state.name)
def test_a_damaged_state_file_costs_no_note(state: StateFile, furnished: Furnished, invoke: Invoke) -> None:
    usual = _usual(furnished, invoke)
    found, expected = {}, {}
    for damage in DAMAGES:
        for command, arguments in COMMANDS.items():
            furnished.restore()
            place = state.find(furnished.root)
            damage_file(place, damage)
            before = furnished.notes()
            ran = invoke(*arguments, "--json")
            found[damage, command] = code_of(ran)
            expected[damage, command] = _expected(state.name, damage, command)
            assert "Traceback" not in ran.stderr
            _assert_notes(before, furnished.notes(), command, code_of(ran))
            warned = {one["code"] for one in ran.json()["warnings"]}
            assert warned - usual[command] <= WARNING.get(state.name, set()), (damage, command)
            if code_of(ran) not in ("ok", "already_exists"):
                _assert_helpful(ran.json()["errors"][0], place)
    assert found == expected


def _assert_notes(before: dict[str, bytes], after: dict[str, bytes], command: str, code: str) -> None:
    """Nothing of what was there is gone: a write adds its note and its line, everything else adds nothing."""
    if command == "write" and code == "ok":
        assert after.pop("new.md").endswith(b"new text\n")
        index, old = after.pop("MEMORY.md").splitlines(), before.pop("MEMORY.md", b"").splitlines()
        (line,) = [line for line in index if b"(new.md)" in line]
        index.remove(line)
        assert index in (old, [b"# Memory", b""])
    assert after == before


def _assert_helpful(error: dict[str, Any], place: Path) -> None:
    """The message names the file, and the message or the hint what to do."""
    assert place.name in error["message"]
    assert error["hint"] or re.search(r"line \d+|byte \d+|must hold", error["message"])


@pytest.mark.parametrize("damage", BROKEN)
def test_a_damaged_intent_of_the_journal_is_parked_and_can_be_settled(
    damage: str, furnished: Furnished, invoke: Invoke
) -> None:
    (intent,) = [state for state in STATE_FILES if state.name == "journal/<id>.intent"]
    place = intent.find(furnished.root)
    damage_file(place, damage)
    warnings = invoke(*COMMANDS["write"], "--json").json()["warnings"]
    assert [one["code"] for one in warnings] == ["recovery_needed"]
    assert "wuu reconcile files" in warnings[0]["message"]
    assert (furnished.root / "conflicts" / f"{place.stem}.damaged").is_file()
    assert not (furnished.root / "other" / "pending-1.txt").exists()
    assert invoke("reconcile", "files", "--keep-disk").exit_code == 0
    assert [one["code"] for one in invoke(*COMMANDS["list"], "--json").json()["warnings"]] == []


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_search_index_is_built_anew(damage: str, furnished: Furnished, invoke: Invoke) -> None:
    (place,) = Path(os.environ["XDG_CACHE_HOME"]).rglob("*.sqlite")
    damage_file(place, damage)
    ran = invoke(*COMMANDS["search"], "--json")
    assert sorted(hit["file"] for hit in ran.data["topics"]) == sorted(NOTES)
    before = furnished.notes()
    for command in ("list", "write"):
        assert code_of(invoke(*COMMANDS[command], "--json")) == "ok"
    assert {name: furnished.notes()[name] for name in NOTES} == {name: before[name] for name in NOTES}


def test_a_home_of_an_unknown_format_is_refused_by_name(furnished: Furnished, invoke: Invoke) -> None:
    """One bit makes format 1 format 5."""
    place = furnished.root / "home.json"
    place.write_text(place.read_text().replace('"format": 1', '"format": 5'))
    (error,) = invoke(*COMMANDS["list"], "--json").json()["errors"]
    assert error["code"] == "format_too_new"
    assert str(place) in error["hint"]


def test_a_receipt_that_holds_another_request_id_is_damaged(furnished: Furnished, invoke: Invoke) -> None:
    """Taken for the receipt of somebody else, the request would be made a second time."""
    place = next(state for state in STATE_FILES if state.folder == "receipts").find(furnished.root)
    place.write_text(place.read_text().replace('"first"', '"fivst"'))
    (error,) = invoke(*COMMANDS["repeat"], "--json").json()["errors"]
    assert error["code"] == "corrupt"
    _assert_helpful(error, place)


# --- the documents --------------------------------------------------------------------------------------


def documented(page: Path, end: str = "") -> dict[str, str]:
    """Return the rows of a page's tables by their first cell, up to a heading."""
    text = page.read_text(encoding="utf-8").partition(end or "\0")[0]
    return {match[1]: line for line in text.splitlines() if (match := re.match(r"\| `([^`]+)` \|", line))}


def test_the_page_about_damage_has_every_file_of_the_home(repository: Path) -> None:
    reference = repository / "docs" / "reference"
    layout = documented(reference / "home-layout.md", "## Cache")
    described = documented(reference / "damage.md")
    assert {state.name for state in STATE_FILES} <= layout.keys()
    assert sorted(layout.keys() - described.keys()) == []
    assert "memory.sqlite" in described


@pytest.mark.parametrize("state", STATE_FILES, ids=lambda state: state.name)
def test_the_page_about_damage_has_everycode_of(state: StateFile, repository: Path) -> None:
    row = documented(repository / "docs" / "reference" / "damage.md")[state.name]
    codes = {code for _, _, code in FAILING.get(state.name, [])}
    assert codes <= set(re.findall(r"`(\w+)`", row))
    if not codes:
        assert "status" not in row
