"""Two names that are one file, on a disk that ignores case: nothing is lost in any spelling (case O-20)."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from store import folding
from store.checking import make_home, plan_of, put
from wuu.errors import AlreadyExists, ChangedOnDisk
from wuu.ids import new_id
from wuu.store import files, journal
from wuu.store.apply import current_digest
from wuu.store.changes import Change, ChangeSet, digest_of
from wuu.store.home import JOURNAL, Home
from wuu.store.journal import Intent
from wuu.store.recovery import read_conflicts, settle
from wuu.store.transaction import commit

OLD, NEW = b"the harbour\n", b"the Harbour\n"
RENAME = (Change("memory/harbour.md", digest_of(OLD), None), Change("memory/Harbour.md", None, NEW))


@pytest.fixture(params=["an imitation", "a real disk"])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Home]:
    """Return a home on a disk that ignores case, with one topic."""
    if request.param == "an imitation":
        with folding.imitation():
            yield make_home(str(tmp_path / "home"), {"memory/harbour.md": OLD})
    else:
        with folding.real_disk(tmp_path) as root:
            yield make_home(str(root / "home"), {"memory/harbour.md": OLD})


def _commit(home: Home, *changes: Change) -> None:
    commit(home, lambda _: ChangeSet(changes, None), command="test")


def _topics(home: Home) -> dict[str, bytes | None]:
    names = os.listdir(home.place("memory"))
    return {name: Path(home.place("memory"), name).read_bytes() for name in sorted(names)}


def test_o20_another_spelling_is_not_the_file(home: Home) -> None:
    assert home.read("memory/HARBOUR.md") == OLD  # the disk says so
    assert current_digest(home, "memory/HARBOUR.md") is None
    assert current_digest(home, "memory/harbour.md") == digest_of(OLD)


def test_o20_a_rename_in_case_alone_keeps_the_content(home: Home) -> None:
    _commit(home, *RENAME)
    assert _topics(home) == {"Harbour.md": NEW}


def test_o20_a_new_file_does_not_replace_one_of_another_spelling(home: Home) -> None:
    change = Change("memory/Harbour.md", None, NEW)
    with pytest.raises(AlreadyExists):
        _commit(home, change)
    with pytest.raises(AlreadyExists):
        _commit(home, change, Change("memory/other.md", None, b"x"))
    assert _topics(home) == {"harbour.md": OLD}


def test_o20_two_new_files_that_would_be_one_are_refused(home: Home) -> None:
    with pytest.raises(AlreadyExists):
        _commit(home, Change("memory/owl.md", None, b"1"), Change("memory/Owl.md", None, b"2"))
    assert _topics(home) == {"harbour.md": OLD}


def test_o20_another_spelling_cannot_be_removed_or_edited(home: Home) -> None:
    for after in (None, NEW):
        with pytest.raises(ChangedOnDisk):
            _commit(home, Change("memory/HARBOUR.md", digest_of(OLD), after))
    assert _topics(home) == {"harbour.md": OLD}


def test_o20_removing_one_file_while_editing_another_removes_only_that(home: Home) -> None:
    put(home, {"memory/owl.md": b"owl\n"})
    commit(home, plan_of({"memory/owl.md": None, "memory/harbour.md": NEW}), command="test")
    assert _topics(home) == {"harbour.md": NEW}


@pytest.mark.parametrize("done", ["nothing", "removed", "both"])
def test_o20_recovery_finishes_a_rename_in_case_alone(home: Home, done: str) -> None:
    intent = Intent(new_id(), "rename", "2026-05-01T07:30:00Z", None, RENAME)
    if done != "nothing":
        put(home, {"memory/harbour.md": None})
    if done == "both":
        put(home, {"memory/Harbour.md": NEW})
    files.write_atomic(home.place(f"{JOURNAL}/{intent.id}.intent"), journal.render_intent(intent))
    commit(home, plan_of({}), command="next")
    assert _topics(home) == {"Harbour.md": NEW}
    assert read_conflicts(home) == []


def test_o20_recovery_does_not_replace_what_came_in_another_spelling(home: Home) -> None:
    intent = Intent(new_id(), "add", "2026-05-01T07:30:00Z", None, (Change("memory/HARBOUR.md", None, NEW),))
    files.write_atomic(home.place(f"{JOURNAL}/{intent.id}.intent"), journal.render_intent(intent))
    commit(home, plan_of({}), command="next")
    assert _topics(home) == {"harbour.md": OLD}
    (conflict,) = read_conflicts(home)
    kept = settle(home, conflict.id, keep_prepared=True)
    assert [home.read(path) for path in kept] == [OLD]
    assert home.read("memory/HARBOUR.md") == NEW


def test_a_disk_that_minds_case_keeps_both_spellings(tmp_path: Path) -> None:
    if (tmp_path / "probe").write_text("x") and (tmp_path / "PROBE").exists():
        pytest.skip("this disk ignores case")
    home = make_home(str(tmp_path / "home"), {"memory/harbour.md": OLD})
    _commit(home, Change("memory/Harbour.md", None, NEW), Change("memory/HARBOUR.md", None, b"3"))
    assert _topics(home) == {"HARBOUR.md": b"3", "Harbour.md": NEW, "harbour.md": OLD}


def test_a_decomposed_name_is_no_other_spelling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some disks keep a name decomposed, and find it composed."""
    home = make_home(str(tmp_path / "home"), {"memory/\u00e9.md": OLD})
    monkeypatch.setattr(files, "names_in", lambda _: ["e\u0301.md"])
    assert current_digest(home, "memory/\u00e9.md") == digest_of(OLD)
