"""The JSON of a memory: every documented key, whatever the file says (CONTRACT, "memory")."""

import json
from pathlib import Path

import pytest
from hypothesis import given

from memory.samples import entries, files, parse
from wuu.memory.format.entry import SAVED, Entry
from wuu.memory.format.json_value import memory_value
from wuu.memory.links import Link
from wuu.memory.shelves import Shelf, project_shelf, session_shelf, user_shelf
from wuu.memory.values import Shown
from wuu.memory.writing.workspace_root import find_root
from wuu.store.home import Home

A, B = "aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb"
KEYS = {
    *("id", "scope", "status", "text", "category", "categories", "tags", "pinned", "proposer", "profile"),
    *("workspace", "session_id", "created_at", "updated_at", "verified_at", "confidence", "sensitivity"),
    *("evidence", "links", "proposal", "redactions", "revision", "path"),
}


def shown(entry: Entry, root: str = "/nowhere", *links: Link) -> Shown:
    return Shown(entry, links, "sha256:0", f"{root}/{entry.path}")


def put_description(root: Path, content: str) -> None:
    (root / "workspaces" / "shop-1").mkdir(parents=True, exist_ok=True)
    (root / "workspaces" / "shop-1" / "workspace.json").write_text(content)


def test_a_memory_as_json(tmp_path: Path) -> None:
    put_description(tmp_path, '{"root": "/srv/shop"}')
    entry = Entry(
        A,
        session_shelf("shop-1", "3f2a"),
        SAVED,
        "Use pnpm.",
        tags=("ci",),
        confidence=0.5,
        created_at="2026-11-30T22:41:07.123456Z",
        evidence=({"kind": "commit", "ref": "4b825dc"}, {"quote": "always pnpm", "turn": 3}),
        proposal={"operation": "archive", "target": B},
    )
    assert memory_value(shown(entry, str(tmp_path), Link(B, "supports", "in"))) == {
        "id": A,
        "scope": "session",
        "status": "saved",
        "text": "Use pnpm.",
        "category": "other",
        "categories": [],
        "tags": ["ci"],
        "pinned": False,
        "proposer": "user",
        "profile": None,
        "workspace": "/srv/shop",
        "session_id": "3f2a",
        "created_at": "2026-11-30T22:41:07.123456Z",
        "updated_at": None,
        "verified_at": None,
        "confidence": 0.5,
        "sensitivity": "low",
        "evidence": [
            {"kind": "commit", "ref": "4b825dc"},
            {"agent": None, "session": None, "turn": 3, "line": None, "quote": "always pnpm", "digest": None},
        ],
        "links": [{"id": B, "kind": "supports", "direction": "in"}],
        "proposal": {"operation": "archive", "target": B, "target_revision": None, "changes": None},
        "redactions": [],
        "revision": "sha256:0",
        "path": f"{tmp_path}/workspaces/shop-1/sessions/3f2a/entries/{A}.md",
    }


@pytest.mark.parametrize(
    ("shelf", "profile", "workspace"),
    [(user_shelf("work"), "work", None), (project_shelf("shop-1"), None, "shop-1")],
)
def test_what_does_not_apply_is_null(shelf: Shelf, profile: str | None, workspace: str | None) -> None:
    value = memory_value(shown(Entry(A, shelf, SAVED, "x")))
    assert (value["profile"], value["workspace"], value["session_id"]) == (profile, workspace, None)
    assert value["path"] == f"/nowhere/{shelf.path(A)}"


@given(entries)
def test_every_key_is_there_and_all_of_it_is_json(entry: Entry) -> None:
    value = memory_value(shown(entry))
    assert set(value) == KEYS | ({"classification"} if entry.classification is not None else set())
    assert json.loads(json.dumps(value, allow_nan=False)) == value


@given(files)
def test_o35_any_file_is_json_that_can_be_printed(text: str) -> None:
    value = memory_value(shown(parse(text)))
    assert set(value) - {"classification"} == KEYS
    assert json.loads(json.dumps(value, allow_nan=False, ensure_ascii=False).encode()) == value


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"root": "shop"}', '{"root": null}', '{"root": "/a\\u0000"}']
)
def test_a_description_that_cannot_be_believed_names_no_root(tmp_path: Path, content: str) -> None:
    assert find_root(Home(str(tmp_path)), "shop-1") is None
    put_description(tmp_path, content)
    assert find_root(Home(str(tmp_path)), "shop-1") is None
