"""The status and the categories: what is counted, what waits, what the settings say, and extraction apart."""

import json
from typing import Any

import pytest

from memory.by_hand import memory, number
from memory.conftest import Room
from wuu.errors import SettingsInvalid
from wuu.memory.reading import list_categories, memory_status

NONE = {"pending": 0, "saved": 0, "archived": 0, "pinned": 0}


def settle(room: Room, **values: Any) -> None:
    room.root.mkdir(exist_ok=True)
    (room.root / "settings.json").write_text(json.dumps(values))


def job(room: Room, name: str, content: str) -> None:
    folder = room.root / "workspaces" / room.asks().get_workspace().key / "extraction" / "jobs"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(content)


class TestStatus:
    def test_an_empty_home_has_nothing_and_stays_empty(self, room: Room) -> None:
        status = memory_status(room.asks())
        assert status["memories"]["total"] == 0
        assert status["memories"]["by_scope"] == {"user": NONE, "project": NONE, "session": NONE}
        assert (status["waiting"], status["unreadable"]) == (0, 0)
        assert status["workspace"]["root"] == str(room.place / "shop")
        assert not room.root.exists()

    def test_it_counts_by_scope_and_status_in_this_project_only(self, room: Room) -> None:
        room.project("other")
        room.put(number(1), memory("a", pinned="true"))
        room.put(number(2), memory("b", status="pending"))
        room.put(number(3), memory("c", status="archived"), scope="user")
        room.put(number(4), memory("d", status="pending"), scope="session", session="s-1")
        room.put(number(5), memory("e"), scope="session", session="s-2")
        room.put(number(6), b"\xff")
        room.put(number(7), memory("f"), project="other")
        status = memory_status(room.asks(session="s-1"))
        assert status["memories"] == {
            "total": 5,
            "by_scope": {
                "user": {**NONE, "archived": 1},
                "project": {**NONE, "saved": 1, "pending": 1, "pinned": 1},
                "session": {**NONE, "pending": 1, "saved": 1},
            },
            "by_status": {"pending": 2, "saved": 2, "archived": 1},
        }
        assert (status["waiting"], status["unreadable"], status["session_id"]) == (2, 1, "s-1")

    def test_without_a_project_it_is_about_the_profile(self, room: Room) -> None:
        room.put(number(1), memory("a"), scope="user", profile="work")
        status = memory_status(room.asks(project=".", profile="work"))
        assert (status["workspace"], status["profile"], status["memories"]["total"]) == (None, "work", 1)
        assert [one["scope"] for one in status["index"]] == ["user"]

    def test_the_settings_that_gate_are_those_of_the_project(self, room: Room) -> None:
        shop = str(room.place / "shop")
        settle(
            room, memoryUse=True, memoryMaintenance="preview", memoryProjects={shop: {"memoryGenerate": True}}
        )
        status = memory_status(room.asks())
        assert status["settings"] == {
            "memoryEnabled": True,
            "memoryUse": True,
            "memoryGenerate": True,
            "memoryRequireApproval": True,
        }
        assert status["maintenance"] == "preview"

    def test_extraction_is_told_apart_and_is_all_zeros_before_its_first_job(self, room: Room) -> None:
        settle(room, memoryEnabled=False, extractor="none")
        assert memory_status(room.asks())["extraction"] == {
            "enabled": False,
            "generate": False,
            "extractor": "none",
            **dict.fromkeys(("queued", "running", "completed", "skipped", "failed", "unreadable"), 0),
            "last_job": None,
            "last_error": None,
        }

    def test_jobs_are_counted_by_state_and_the_last_one_that_ended_is_named(self, room: Room) -> None:
        for name, content in {
            "a.json": {"state": "queued"},
            "b.json": {"state": "running"},
            "c.json": {"state": "failed", "finished_at": "2026-05-02T00:00:00Z", "error": "no provider"},
            "d.json": {"state": "completed", "finished_at": "2026-05-01T00:00:00Z"},
            "e.json": {"state": "lost"},
            "f.json": ["completed"],
        }.items():
            job(room, name, json.dumps(content))
        job(room, "g.json", "{")
        job(room, "notes.txt", "x")
        extraction = memory_status(room.asks())["extraction"]
        assert [extraction[state] for state in ("queued", "running", "completed", "skipped", "failed")] == [
            *(1, 1, 1, 0, 1)
        ]
        assert extraction["unreadable"] == 3
        assert extraction["last_job"] == {
            "id": "c",
            "state": "failed",
            "finished_at": "2026-05-02T00:00:00Z",
            "error": "no provider",
        }
        assert extraction["last_error"] == "no provider"

    def test_settings_that_cannot_be_read_are_an_error(self, room: Room) -> None:
        settle(room, memoryUse="yes")
        with pytest.raises(SettingsInvalid):
            memory_status(room.asks())


class TestCategories:
    def test_the_known_ones_come_first_with_policy_and_count(self, room: Room) -> None:
        settle(room, memoryPolicies={"Project.Stack": "auto", "deploy": "auto"})
        room.put(number(1), memory("a", category="Stack", categories='["security"]'))
        room.put(number(2), memory("b", category="user.stack", status="pending"))
        room.put(number(3), memory("c"), scope="user")
        room.put(number(4), memory("d", category="Deploy"))
        room.put(number(5), memory("e", category="stack"), scope="session", session="s")
        found = {one["id"]: one for one in list_categories(room.asks())}
        assert list(found)[-2:] == ["other", "deploy"]
        assert len(found) == 14
        assert (found["stack"]["policy"], found["stack"]["default"], found["stack"]["count"]) == (
            "auto",
            "review",
            2,
        )
        assert (found["security"]["count"], found["other"]["count"], found["deploy"]["count"]) == (0, 2, 1)
        assert [one["id"] for one in found.values() if not one["known"]] == ["deploy"]
        assert found["deploy"]["policy"] == found["other"]["policy"] == "review"
        assert found["volatile.reject"]["policy"] == "never"
