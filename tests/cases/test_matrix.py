"""What each command tells of memories in each state, held to the tables of `matrix`: O-25."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cases import matrix
from cases.conftest import Note
from cases.matrix import ARCHIVED, COUNTED, LABELLED, NOTHING, PENDING, REJECTED, REQUEST, SAVED, TEXT
from cases.trees import tree
from cli.terminals import terminal
from house.invocation import Invoke, Ran
from wuu.cli.root import root

TEXTS = {
    PENDING: "A quokka waits at the jetty.",
    SAVED: "A quokka sleeps in the mill.",
    ARCHIVED: "A quokka left the orchard.",
    REJECTED: "A quokka burnt the viaduct.",
}
LEAVES = dict(matrix.leaves(root))
WRITERS = {matrix.command_of(rule.call, LEAVES) for rule in matrix.WRITES}
PLACED = {*matrix.READS_MEMORIES, *matrix.READS_NONE, *WRITERS}
FLAGS = {name: {flag for one in command.params for flag in one.opts} for name, command in LEAVES.items()}
FORMS: tuple[tuple[str, ...], ...] = ((), ("--json",))
OF_ITSELF = {"memory undo": {SAVED}, "memory review": {PENDING}}
"""What a command that writes shows without being given its id."""
REVIEW_QUESTION = "q or ?: "


class Quokkas(NamedTuple):
    """A home with a memory in each state: the folder in which all of it lies, and the ids by state."""

    folder: Path
    ids: dict[str, str]

    def files_of(self, state: str) -> list[Path]:
        """Return the files that are there because of one of the memories."""
        if state == REJECTED:
            return [*self.folder.rglob("state/rejected.json")]
        return [*self.folder.rglob(f"{self.ids[state]}.md")]


@pytest.fixture
def quokkas(invoke: Invoke, home: Path) -> Quokkas:
    (home / "memory").mkdir()
    (home / "memory" / "MEMORY.md").write_text("- [Anchor](anchor.md) — where it lies\n")
    (home / "memory" / "anchor.md").write_text("---\nname: Anchor\n---\n\nThe anchor lies aft.\n")
    ids = {}
    for state, text in TEXTS.items():
        by_agent = state in (PENDING, REJECTED)
        made = invoke("memory", "propose" if by_agent else "add", text, "--json", *AGENT[by_agent])
        assert made.exit_code == 0, made.stdout
        ids[state] = made.data["memory"]["id"]
        assert made.data["memory"]["status"] == (PENDING if by_agent else SAVED)
    assert invoke("memory", "search", "viaduct", "--status", "pending").exit_code == 0  # now it is indexed
    for step in (("reject", ids[REJECTED]), ("archive", ids[ARCHIVED])):
        assert invoke("memory", *step).exit_code == 0
    return Quokkas(home.parent, ids)


AGENT: dict[bool, tuple[str, ...]] = {False: (), True: ("--as", "agent")}


def _told(ran: Ran) -> set[str]:
    """Return the states of whose memory a run tells the text."""
    said = ran.stdout + ran.stderr
    return {state for state, text in TEXTS.items() if text.rstrip(".").casefold() in said.casefold()}


def _is_json(ran: Ran) -> bool:
    return ran.stdout.startswith("{")  # what a machine calls needs no --json


def _is_labelled(ran: Ran, state: str, *, is_json: bool) -> bool:
    if is_json:
        found = [one for one in _objects(ran.data) if one.get("text") == TEXTS[state]]
        return bool(found) and all(one["status"] == state for one in found)
    rows = [line.split("\t") for line in ran.stdout.splitlines() if TEXTS[state] in line]
    is_row = all(state in cells for cells in rows if len(cells) > 1)
    return is_row if any(len(cells) > 1 for cells in rows) else f"status\t{state}" in ran.stdout.splitlines()


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _objects(one)


# --- Every command has a place --------------------------------------------------------------------------


def test_o25_every_command_has_a_place_in_the_matrix() -> None:
    missing = sorted(set(LEAVES) - PLACED)
    assert not missing, (
        f"tests/cases/matrix.py has no place for: {', '.join(missing)}. Say in READS_MEMORIES what it tells "
        "of memories in each state, or put it into READS_NONE if it tells nothing of memories, or into "
        "WRITES, with what an agent gets for it. Then run scripts/generate.py."
    )


def test_o25_every_place_in_the_matrix_has_a_command() -> None:
    gone = sorted(PLACED - set(LEAVES))
    assert not gone, f"there is no such command: {', '.join(gone)}. Take it out of tests/cases/matrix.py."


def test_o25_every_command_has_the_place_of_its_kind() -> None:
    both = set(matrix.READS_MEMORIES) & set(matrix.READS_NONE)
    assert not both, f"READS_MEMORIES and READS_NONE exclude each other: {', '.join(sorted(both))}"
    tried = {name for name, flags in FLAGS.items() if "--dry-run" in flags}
    assert tried <= WRITERS, f"these have --dry-run, so they belong in WRITES: {sorted(tried - WRITERS)}"


def test_o25_a_call_in_the_matrix_is_one_of_its_command() -> None:
    reading = [
        (name, call)
        for name, one in matrix.READS_MEMORIES.items()
        for call in (one.call, one.request)
        if call
    ]
    for name, call in (*reading, *matrix.READS_NONE.items()):
        assert matrix.command_of(call, LEAVES) == name
    for name, one in matrix.READS_MEMORIES.items():
        assert bool(one.request) == (REQUEST in one), name
        assert one.rejected == NOTHING, f"{name}: what was rejected is nowhere"
        assert TEXT not in (one.pending, one.archived), f"{name}: what is not saved is told with its status"


# --- What is told ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", matrix.READS_MEMORIES)
def test_o25_a_command_tells_of_each_state_what_the_matrix_says(
    invoke: Invoke, quokkas: Quokkas, name: str
) -> None:
    reading = matrix.READS_MEMORIES[name]
    for form in FORMS:
        ran = invoke(*matrix.arguments(reading.call, quokkas.ids), *form)
        assert ran.exit_code == 0
        for state in matrix.STATES:
            says = getattr(reading, state)
            assert (state in _told(ran)) == (says in (LABELLED, TEXT)), f"{name} of {state}:\n{ran.stdout}"
            if says == LABELLED:
                assert _is_labelled(ran, state, is_json=_is_json(ran)), f"{name} of {state}:\n{ran.stdout}"
            if says == REQUEST:
                values = {**quokkas.ids, "id": quokkas.ids[state], "status": state}
                asked = invoke(*matrix.arguments(reading.request, values), *form)
                assert (asked.exit_code, _told(asked)) == (0, {state})
                assert _is_labelled(asked, state, is_json=_is_json(ran)), (
                    f"{name} of {state}:\n{asked.stdout}"
                )


@pytest.mark.parametrize("name", matrix.READS_MEMORIES)
def test_o25_what_a_command_tells_nothing_of_makes_no_difference(
    invoke: Invoke, quokkas: Quokkas, name: str
) -> None:
    reading = matrix.READS_MEMORIES[name]

    def seen() -> tuple[int, str]:
        shutil.rmtree(quokkas.folder / ".cache", ignore_errors=True)  # how large it is depends on its past
        ran = invoke(*matrix.arguments(reading.call, quokkas.ids), "--json")
        return ran.exit_code, ran.stdout

    with_all = seen()
    for state in matrix.STATES:
        if f"{{{state}}}" in reading.call:
            continue
        kept = {path: path.read_bytes() for path in quokkas.files_of(state)}
        assert kept, f"nothing in the home is there because of {state}"
        for path in kept:
            path.unlink()
        is_told = getattr(reading, state) in (LABELLED, TEXT, COUNTED)
        assert (seen() != with_all) == is_told, f"{name} and the memory that is {state}"
        for path, data in kept.items():
            path.write_bytes(data)


def test_o25_a_command_that_reads_no_memories_tells_the_same_without_them(
    invoke: Invoke, quokkas: Quokkas
) -> None:
    calls = {
        (name, *form): (*matrix.arguments(call, {}), *form, "--read-only")
        for name, call in matrix.READS_NONE.items()
        for form in FORMS
    }
    told = {which: invoke(*call) for which, call in calls.items()}
    assert {which: ran.exit_code for which, ran in told.items() if ran.exit_code} == {}
    assert {which for which, ran in told.items() if _told(ran)} == set()
    for folder in (".wuu/workspaces", ".wuu/entries", ".wuu/state", ".cache"):
        shutil.rmtree(quokkas.folder / folder, ignore_errors=True)
    for which, call in calls.items():
        assert invoke(*call) == told[which], which


@pytest.mark.parametrize("form", FORMS, ids=["text", "json"])
def test_o25_a_command_that_writes_tells_of_no_memory_but_its_own(
    invoke: Invoke, quokkas: Quokkas, form: tuple[str, ...]
) -> None:
    values = {**quokkas.ids, "pinned": quokkas.ids[SAVED], "foreign": quokkas.ids[PENDING], "secret": "none"}
    for rule in matrix.WRITES:
        call, name = matrix.arguments(rule.call, values), matrix.command_of(rule.call, LEAVES)
        ran = invoke(*call, *form, *(("--dry-run",) if "--dry-run" in FLAGS[name] else ()))
        named = {state for state in TEXTS if any(values[state] in word for word in call)}
        shown = {PENDING} if "--all" in call else OF_ITSELF.get(name, set())
        assert _told(ran) <= named | shown, f"{rule.call}:\n{ran.stdout}{ran.stderr}"


def test_o25_a_review_shows_what_waits_and_nothing_else(quokkas: Quokkas) -> None:
    with terminal(["memory", "review"], columns=120) as person:
        person.wait_for(REVIEW_QUESTION)
        person.press("q")
        person.wait_for("1 left.")
        assert _told(Ran(0, person.screen.encode(), b"")) == {PENDING}


# --- Places that are no commands ------------------------------------------------------------------------


def test_o25_completion_tells_of_no_memory(invoke: Invoke, quokkas: Quokkas) -> None:
    names = [(name, "zsh_complete") for name in (*LEAVES, "memory list --tag", "memory search --text")]
    for name, kind in (*names, ("memory show", "bash_complete"), ("memory show", "fish_complete")):
        words = f"wuu {name} "
        env = {"_WUU_COMPLETE": kind, "COMP_WORDS": words, "COMP_CWORD": str(len(words.split()))}
        ran = invoke(env=env)
        assert (ran.exit_code, ran.stderr) == (0, "")
        assert "quokka" not in ran.stdout.casefold()


def test_o25_no_file_beside_the_memories_repeats_them(invoke: Invoke, quokkas: Quokkas) -> None:
    for name, reading in matrix.READS_MEMORIES.items():
        assert invoke(*matrix.arguments(reading.call, quokkas.ids)).exit_code == 0, name
    assert invoke("notebook", "write", "new.md", "Text.", "--name", "New").exit_code == 0
    for path, data in tree(quokkas.folder).items():
        if "entries" not in path.split("/") and ".cache" not in path.split("/"):
            assert b"quokka" not in bytes(str(data).encode() if isinstance(data, str) else data).lower(), path


def test_o25_a_rejected_text_is_in_no_file_of_home_and_cache(invoke: Invoke, quokkas: Quokkas) -> None:
    assert [path for path in tree(quokkas.folder) if ".cache/" in path], "there is no index to look into"
    for word in (b"viaduct", b"burnt"):
        holding = [path for path, data in tree(quokkas.folder).items() if word in bytes(_bytes(data)).lower()]
        assert holding == []
    assert not any("viaduct" in path for path in tree(quokkas.folder))


def _bytes(data: bytes | str) -> bytes:
    return data.encode() if isinstance(data, str) else data


@pytest.mark.parametrize("command", ["add", "propose"])
def test_o25_a_rejected_text_is_told_to_nobody_who_writes_something_else(
    invoke: Invoke, quokkas: Quokkas, command: str
) -> None:
    for who in AGENT.values():
        ran = invoke("memory", command, "A quokka swims.", "--json", *who)
        assert ran.exit_code == 0
        assert _told(ran) == set()


def test_o25_who_repeats_a_text_learns_of_the_memory_that_has_it_and_its_status(
    invoke: Invoke, quokkas: Quokkas
) -> None:
    for state, label in ((PENDING, "waiting for approval"), (SAVED, ""), (ARCHIVED, "archived")):
        text, document = (
            invoke("memory", "propose", TEXTS[state].upper(), *form, "--as", "agent") for form in FORMS
        )
        assert (text.exit_code, document.exit_code) == (0, 0)
        assert _told(text) <= {state}
        assert label in text.stdout
        assert document.data["duplicate_of"] == quokkas.ids[state]
        assert document.data["memory"]["status"] == state


@pytest.fixture
def run_all(invoke: Invoke) -> Callable[..., list[Ran]]:
    """Return what runs every reading call of the matrix, in text and as JSON."""

    def run(ids: dict[str, str]) -> list[Ran]:
        calls = [matrix.arguments(one.call, ids) for one in matrix.READS_MEMORIES.values()]
        return [invoke(*call, *more) for call in calls for more in ((), ("--json",))]

    return run


def test_o25_after_each_step_of_its_life_a_memory_is_where_it_belongs(
    invoke: Invoke, note: Note, quokkas: Quokkas, run_all: Callable[..., list[Ran]]
) -> None:
    for step in (("approve", quokkas.ids[PENDING]), ("restore", quokkas.ids[ARCHIVED])):
        assert invoke("memory", *step).exit_code == 0
    found = invoke("memory", "search", "quokka", "--json").data
    assert {one["text"] for one in found["memories"]} == {TEXTS[one] for one in (PENDING, SAVED, ARCHIVED)}
    for state in (PENDING, SAVED, ARCHIVED):
        assert invoke("memory", "delete", quokkas.ids[state], "--yes").exit_code == 0
    for ran in run_all({**quokkas.ids, SAVED: "f"}):
        assert _told(ran) == set()
    assert not [path for path, data in tree(quokkas.folder).items() if b"quokka" in _bytes(data).lower()]
