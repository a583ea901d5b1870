"""Memories written at once, twice, beyond the limits, under names that collide: O-01, O-16, O-20, O-24."""

import unicodedata
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from cases.conftest import Note
from cases.memories import IDS, PLAIN, added, ids, put, shelf_of, stored, texts, warned, worktrees
from cases.processes import at_terminal, console
from cases.test_credentials import GITHUB
from house.invocation import Ran

AGENT = {"CLAUDECODE": "1"}


@pytest.fixture
def mem(invoke: Note) -> Note:
    def run(*arguments: str, **options: Any) -> Ran:
        return invoke("memory", *arguments, **options)

    return run


# --- O-01: lost updates ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_o01_forty_adds_from_two_worktrees_leave_forty_memories(
    mem: Note, tmp_path: Path, home: Path
) -> None:
    places = worktrees(tmp_path)

    def add(number: int) -> tuple[int, str]:
        done = console(
            "memory", "add", f"fact {number} about the Kestrel build", "--json", cwd=places[number % 2]
        )
        return done.exit_code, done.data["memory"]["id"]

    with ThreadPoolExecutor(20) as pool:
        done = list(pool.map(add, range(40)))
    assert [status for status, _ in done] == [0] * 40
    assert len({memory_id for _, memory_id in done}) == 40
    assert sorted(path.stem for path in home.rglob("entries/*.md")) == sorted(
        memory_id for _, memory_id in done
    )
    listed = mem("list", "--workspace", str(places[0]), "--json")
    assert sorted(texts(listed)) == sorted(f"fact {number} about the Kestrel build" for number in range(40))
    assert listed.json()["warnings"] == []
    assert list((home / "journal").iterdir()) == []


@pytest.mark.slow
def test_o01_of_writers_of_one_text_one_makes_it_and_all_get_its_id(home: Path) -> None:
    def add(number: int) -> tuple[int, str]:
        done = console("memory", "add", "the mast is oak" if number % 2 else "The Mast is oak", "--json")
        return done.exit_code, done.data["memory"]["id"]

    with ThreadPoolExecutor(6) as pool:
        done = list(pool.map(add, range(6)))
    assert {status for status, _ in done} == {0}
    assert len({memory_id for _, memory_id in done}) == 1
    assert len(stored(home)) == 1


@pytest.mark.slow
def test_o01_tags_added_to_one_memory_at_once_are_all_there(mem: Note, home: Path) -> None:
    memory_id = added(mem, "the mast is oak")

    def tag(number: int) -> int:
        return console("memory", "edit", memory_id, "--add-tag", f"t{number}").exit_code

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(tag, range(12))) == [0] * 12
    (shown,) = mem("list", "--json").data["memories"]
    assert sorted(shown["tags"]) == sorted(f"t{number}" for number in range(12))


@pytest.mark.slow
def test_o01_of_pins_at_once_no_more_than_twenty_are_made(mem: Note, home: Path) -> None:
    shelf = shelf_of(home)
    for number, memory_id in enumerate(IDS[:24]):
        put(shelf, memory_id, f"fact {number}")

    def pin(memory_id: str) -> int:
        return console("memory", "pin", memory_id).exit_code

    with ThreadPoolExecutor(6) as pool:
        statuses = sorted(pool.map(pin, IDS[:24]))
    assert statuses == [0] * 20 + [4] * 4
    assert mem("list", "--pinned", "--json").data["total"] == 20


# --- O-16: one limit on every way in --------------------------------------------------------------------

MOST = 32_768
WAYS = {
    "add": ("add", "-"),
    "add for everywhere": ("add", "-", "--user"),
    "add for a session": ("add", "-", "--session-scope", "--session", "s1"),
    "edit": ("edit", "KNOWN", "--text", "-"),
}


def _way(way: str, known: str) -> list[str]:
    """Return the call; `known` is a memory that is there."""
    return [known if word == "KNOWN" else word for word in WAYS[way]]


@pytest.mark.parametrize("size", [MOST + 1, 200_000, 262_145, 3_000_000])
@pytest.mark.parametrize("way", WAYS)
def test_o16_a_text_beyond_the_limit_is_refused_on_every_way_in(
    mem: Note, home: Path, way: str, size: int
) -> None:
    known = added(mem, "known")
    before = stored(home)
    refused = mem(*_way(way, known), "--json", stdin=b"x" * size)
    assert (refused.exit_code, refused.json()["errors"][0]["code"]) == (5, "too_large")
    assert stored(home) == before


@pytest.mark.parametrize("way", WAYS)
def test_o16_a_text_of_exactly_the_limit_is_taken(mem: Note, home: Path, way: str) -> None:
    known = added(mem, "known")
    text = "é" * (MOST // 2)
    done = mem(*_way(way, known), "--json", stdin=text + "\n")
    assert (done.exit_code, done.data["memory"]["text"]) == (0, text)


def test_o16_a_text_that_grew_by_hand_is_named_and_still_served(mem: Note, home: Path) -> None:
    put(shelf_of(home), IDS[0], "x" * (MOST + 1))
    listed = mem("list", "--json")
    assert (listed.exit_code, ids(listed), warned(listed)) == (0, [IDS[0]], ["entry_problem"])
    assert "32,768" in mem("list").stderr


@pytest.mark.parametrize("way", WAYS)
def test_o16_a_credential_is_handled_alike_on_every_way_in(mem: Note, home: Path, way: str) -> None:
    known = added(mem, "known")
    before = stored(home)
    text = f"The key is {GITHUB} for now."
    refused = mem(*_way(way, known), "--json", stdin=text)
    assert (refused.exit_code, refused.json()["errors"][0]["code"]) == (5, "secret_detected")
    assert GITHUB not in refused.stdout
    assert stored(home) == before
    done = mem(*_way(way, known), "--redact", "--json", stdin=text)
    assert done.exit_code == 0
    assert done.data["memory"]["text"].startswith("The key is [REDACTED:")
    assert done.data["memory"]["redactions"]
    assert GITHUB.encode() not in b"".join(map(bytes, stored(home).values()))


@pytest.mark.parametrize(
    ("typed", "exit_code", "stored_text"),
    [(b"r\n", 0, b"[REDACTED:"), (b"k\n", 0, GITHUB.encode()), (b"c\n", 5, b""), (b"\x04", 5, b"")],
    ids=["redact", "keep", "cancel", "end of file"],
)
@pytest.mark.parametrize("command", [("memory", "add"), ("remember",)], ids=" ".join)
def test_o16_at_a_terminal_a_person_is_asked_about_a_credential(
    home: Path, command: tuple[str, ...], typed: bytes, exit_code: int, stored_text: bytes
) -> None:
    shown = at_terminal([*command, f"Key {GITHUB}."], typed=typed)
    assert shown.exit_code == exit_code
    assert "[r]edact, [c]ancel or [k]eep" in shown.screen
    found = b"".join(map(bytes, stored(home).values()))
    assert (stored_text in found, bool(found)) == (True, bool(stored_text))


@pytest.mark.parametrize("option", ["--category", "--categories", "--tag", "--source"])
def test_o16_every_field_is_looked_at_for_credentials(mem: Note, home: Path, option: str) -> None:
    refused = mem("add", "fact", option, GITHUB, "--json")
    assert (refused.exit_code, refused.json()["errors"][0]["code"]) == (5, "secret_detected")
    assert GITHUB not in refused.stdout
    assert stored(home) == {}


@pytest.mark.parametrize("way", ["add", "add for everywhere"])
def test_o16_what_an_agent_adds_waits_on_every_way_in(mem: Note, home: Path, way: str) -> None:
    done = mem(*_way(way, ""), "--json", stdin="fact", env=AGENT)
    assert done.data["memory"]["status"] == "pending"
    refused = mem("add", "x", "--session-scope", "--session", "s1", "--json", env=AGENT)
    assert refused.json()["errors"][0]["code"] == "approval_required"
    refused = mem("add", "y", "--pin", "--json", env=AGENT)
    assert refused.json()["errors"][0]["code"] == "approval_required"


def test_o16_a_duplicate_is_one_on_every_way_in(mem: Note, home: Path) -> None:
    first, second = added(mem, "the mast is oak"), added(mem, "the sail is red", "--user")
    assert added(mem, "The Mast is oak", "--user") == first
    refused = mem("edit", second, "--text", "the MAST is oak", "--json")
    assert (refused.exit_code, refused.json()["errors"][0]["code"]) == (4, "already_exists")
    assert sorted(texts(mem("list", "--json"))) == ["the mast is oak", "the sail is red"]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("text", ["", " \n\t", "\n"], ids=ascii)
def test_o16_an_empty_text_is_none_on_every_way_in(mem: Note, home: Path, way: str, text: str) -> None:
    known = added(mem, "known")
    refused = mem(*_way(way, known), "--json", stdin=text)
    assert (refused.exit_code, refused.json()["errors"][0]["code"]) == (2, "usage")


# --- O-20: names that differ in case only ---------------------------------------------------------------


def test_o20_a_file_whose_name_is_no_id_is_named_and_hides_nothing(mem: Note, home: Path) -> None:
    shelf = shelf_of(home)
    put(shelf, "abcdef0123456789", "the mast is oak")
    for name in ("ABCDEF0123456780", "crew rota", "abcdef"):
        put(shelf, name, f"text of {name}")
    listed = mem("list", "--json")
    assert texts(listed) == ["the mast is oak"]
    assert warned(listed) == ["entry_name"] * 3
    named = {one["details"]["file"].rpartition("/")[2] for one in listed.json()["warnings"]}
    assert named == {"ABCDEF0123456780.md", "crew rota.md", "abcdef.md"}
    assert mem("show", "ABCDEF01", "--json").data["memory"]["text"] == "the mast is oak"


def test_o20_the_same_id_in_two_places_is_named_and_not_guessed(mem: Note, home: Path) -> None:
    put(shelf_of(home), IDS[0], "the mast is oak")
    user = home / "entries" / "default"
    user.mkdir(parents=True)
    (user / f"{IDS[0]}.md").write_text(
        PLAIN.format("the sail is red").replace("status: saved", "status: archived")
    )
    listed = mem("list", "--json")
    assert (ids(listed), warned(listed)) == ([IDS[0]], ["entry_problem"])
    assert listed.data["memories"][0]["status"] == "archived"
    before = stored(home)
    for call in (("show",), ("pin",), ("delete", "--yes"), ("edit", "--text", "x")):
        refused = mem(call[0], IDS[0], *call[1:], "--json")
        assert (refused.exit_code, refused.json()["errors"][0]["code"]) == (3, "ambiguous")
    assert stored(home) == before


# --- O-24 (1): the same text twice ----------------------------------------------------------------------

TEXT = "Der Mast ist aus Eiche – café"
SAME = {
    "again": TEXT,
    "space behind": f"{TEXT}  ",
    "lines around": f"\n\n{TEXT}\n",
    "crlf": f"{TEXT}\r\n",
    "decomposed": unicodedata.normalize("NFD", TEXT),
    "upper case": TEXT.upper(),
    "other spaces": TEXT.replace(" ", "\u00a0 \n"),
    "full width": TEXT.replace("M", "Ｍ"),
    "mark": f"\ufeff{TEXT}",
}


@pytest.mark.parametrize("name", SAME)
@pytest.mark.parametrize("status", ["saved", "pending", "archived"])
def test_o24_the_same_text_returns_the_id_that_is_there(
    mem: Note, home: Path, name: str, status: str
) -> None:
    memory_id = added(mem, TEXT)
    if status != "saved":
        assert (
            mem(
                *(("archive",) if status == "archived" else ("restore", "--to", "pending")), memory_id
            ).exit_code
            == 0
        )
    waits = mem("add", "-", "--json", stdin=SAME[name], env=AGENT).data
    assert (waits["duplicate_of"], waits["memory"]["status"]) == (memory_id, status)
    again = mem("add", "-", "--json", stdin=SAME[name]).data
    assert (again["duplicate_of"], again["memory"]["id"]) == (memory_id, memory_id)
    assert again["memory"]["status"] == "saved"
    assert texts(mem("list", "--json")) == [TEXT]
    assert len(stored(home)) == 1


def test_o24_a_text_of_another_project_or_profile_is_no_duplicate(
    mem: Note, home: Path, tmp_path: Path
) -> None:
    made = {added(mem, TEXT), added(mem, TEXT, "--workspace", str(tmp_path))}
    made |= {added(mem, "mine", "--user"), added(mem, "mine", "--user", "--profile", "other")}
    assert len(made) == len(stored(home)) == 4
