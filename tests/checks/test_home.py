"""The check of a home: what wuu keeps in it itself, and stores that cannot be entered."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from wuu.checks import check
from wuu.checks.check import STORES, Store, check_home
from wuu.errors import IoProblem, NotFound
from wuu.problems import problem
from wuu.situation.situation import Situation, resolve_situation
from wuu.store.home import Home
from wuu.store.locks import hold

TOPIC = "---\nname: Ferry\ndescription: When the ferry leaves\ntype: reference\n---\n\nText.\n"


@pytest.fixture
def home() -> Path:
    place = Path(os.environ["WUU_HOME"])
    (place / "memory").mkdir(parents=True)
    (place / "memory" / "MEMORY.md").write_text(
        "- [Ferry](ferry.md) — When the ferry leaves\n", encoding="utf-8"
    )
    (place / "memory" / "ferry.md").write_text(TOPIC)
    (place / "home.json").write_text('{"format": 1}')
    return place


@pytest.fixture
def situation(home: Path) -> Situation:
    return resolve_situation(environ=os.environ, cwd=os.getcwd())


def _told(situation: Situation) -> list[tuple[str, str]]:
    return [(one.code, one.file) for one in check_home(situation).problems]


def test_a_clean_home_counts_its_files(home: Path, situation: Situation) -> None:
    report = check_home(situation)
    assert (report.problems, report.checked, report.folder) == ((), 3, os.path.realpath(home))


def test_problems_of_the_notebook_are_named_from_the_home(home: Path, situation: Situation) -> None:
    (home / "memory" / "harbour.md").write_text(TOPIC.replace("Ferry", "Harbour"))
    assert _told(situation) == [("not_indexed", "memory/harbour.md")]


def test_a_home_that_is_not_there_is_not_found(tmp_path: Path) -> None:
    absent = resolve_situation(environ=os.environ, cwd=str(tmp_path), home="nowhere")
    with pytest.raises(NotFound, match="There is no home at"):
        check_home(absent)
    (tmp_path / "nowhere").write_text("a file")
    with pytest.raises(NotFound):
        check_home(absent)


def test_a_home_behind_a_link_is_checked(home: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(home)
    through = resolve_situation(environ=os.environ, cwd=str(tmp_path), home="link")
    assert check_home(through).checked == 3


def test_a_damaged_description_does_not_hide_the_notebook(home: Path, situation: Situation) -> None:
    (home / "home.json").write_text("{")
    (home / "memory" / "harbour.md").write_text(TOPIC.replace("Ferry", "Harbour"))
    assert _told(situation) == [("home_invalid", "home.json"), ("not_indexed", "memory/harbour.md")]
    assert check_home(situation).problems[0].message == "cannot be read."


def test_a_notebook_without_topics_is_no_problem(home: Path, situation: Situation) -> None:
    for path in (home / "memory").iterdir():
        path.unlink()
    assert _told(situation) == []
    (home / "home.json").write_text("{")
    assert _told(situation) == [("home_invalid", "home.json")]


def test_a_description_that_is_a_link_is_invalid(home: Path, situation: Situation) -> None:
    (home / "home.json").unlink()
    (home / "home.json").symlink_to("/dev/null")
    assert _told(situation) == [("home_invalid", "home.json")]


def test_a_home_of_a_newer_wuu_is_not_read_any_further(home: Path, situation: Situation) -> None:
    (home / "home.json").write_text('{"format": 2}')
    (home / "memory" / "harbour.md").write_text("no frontmatter")
    assert _told(situation) == [("home_invalid", "home.json")]


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("{", 1, "Expecting"),
        ('{\n"memoryUse": true,\n}', 2, ""),
        ('{"memoryUse": 1}', None, "memoryUse must be true or false"),
        ('{"memoryProjects": {"/a": {"memoryUse": 1}}}', None, "memoryProjects[/a].memoryUse must be"),
        ("[]", None, "must hold a JSON object"),
    ],
)
def test_settings_that_cannot_be_used(
    text: str, line: int | None, part: str, home: Path, situation: Situation
) -> None:
    (home / "settings.json").write_text(text)
    [found] = check_home(situation).problems
    assert (found.code, found.file) == ("settings_invalid", "settings.json")
    assert part in found.message
    assert str(home) not in found.message
    if line == 1:
        assert found.line == 1


def test_settings_that_are_not_utf_8_are_invalid(home: Path, situation: Situation) -> None:
    (home / "settings.json").write_bytes(b'{"memoryUse": "\xff"}')
    assert _told(situation) == [("settings_invalid", "settings.json")]


def test_keys_without_an_effect_are_warnings(home: Path, situation: Situation) -> None:
    keys = {"memoryEnabld": True, "memoryProjects": {"relative": {}, "/a": {"dreamEnabled": True}}}
    (home / "settings.json").write_text(json.dumps(keys))
    report = check_home(situation)
    assert {one.code for one in report.problems} == {"settings_unknown"}
    assert (report.errors, report.warnings) == (0, 3)
    assert "did you mean memoryEnabled?" in report.problems[0].message


def test_open_changes_are_told_by_their_files(home: Path, situation: Situation) -> None:
    for name in (
        "journal/aaaa.intent",
        "conflicts/bbbb.intent",
        "conflicts/cccc.damaged",
        "conflicts/kept-a.md",
    ):
        (home / name).parent.mkdir(exist_ok=True)
        (home / name).write_text("torn")
    assert _told(situation) == [
        ("recovery_pending", "journal/aaaa.intent"),
        ("recovery_needed", "conflicts/bbbb.intent"),
        ("recovery_needed", "conflicts/cccc.damaged"),
    ]


def test_temporary_files_of_the_home_are_told(home: Path, situation: Situation) -> None:
    for folder in (".", "journal", "receipts", "conflicts"):
        (home / folder).mkdir(exist_ok=True)
        (home / folder / ".wuu-tmp-aaaa").touch()
    assert _told(situation) == [
        ("leftover_temp", ".wuu-tmp-aaaa"),
        ("leftover_temp", "journal/.wuu-tmp-aaaa"),
        ("leftover_temp", "receipts/.wuu-tmp-aaaa"),
        ("leftover_temp", "conflicts/.wuu-tmp-aaaa"),
    ]


def test_what_a_writer_at_work_needs_is_no_problem(home: Path, situation: Situation) -> None:
    (home / "journal").mkdir()
    (home / "journal" / "aaaa.intent").write_text("being written")
    (home / ".wuu-tmp-aaaa").touch()
    with hold(Home(str(home)), "a test"):
        assert _told(situation) == []
    assert {code for code, _ in _told(situation)} == {"recovery_pending", "leftover_temp"}


@pytest.mark.parametrize("target", ["nowhere", "home.json"])
def test_a_store_that_is_no_folder_is_told(target: str, home: Path, situation: Situation) -> None:
    (home / "memory").rename(home / "moved")
    (home / "memory").symlink_to(target)
    assert _told(situation) == [("unsafe_file", "memory")]


def test_a_store_behind_a_link_that_leaves_the_home_is_told(
    home: Path, situation: Situation, tmp_path: Path
) -> None:
    (home / "memory").rename(tmp_path / "moved")
    (home / "memory").symlink_to(tmp_path / "moved")
    assert _told(situation) == [("unsafe_file", "memory")]


def _refused(*_: object) -> Iterator[None]:
    raise IoProblem("journal: Permission denied", path="journal")


def test_what_cannot_be_looked_at_hides_nothing_else(
    home: Path, situation: Situation, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "home.json").write_text("{")
    (home / ".wuu-tmp-aaaa").touch()
    monkeypatch.setattr(check, "pending_intents", _refused)
    monkeypatch.setattr(check, "STORES", (Store("memory", _refused), *STORES))
    assert _told(situation) == [
        ("home_invalid", "home.json"),
        ("unreadable", "journal"),
        ("leftover_temp", ".wuu-tmp-aaaa"),
        ("unreadable", "memory"),
    ]


def test_a_later_store_is_one_more_line_of_the_table(
    home: Path, situation: Situation, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[int | None] = []

    def look(_: Situation, stale_days: int | None) -> check.Found:
        told.append(stale_days)
        return check.Found((problem("not_utf8", "a.md", None, "Text."),), 5)

    monkeypatch.setattr(check, "STORES", (*STORES, Store("entries/default", look), Store("absent", look)))
    (home / "entries" / "default").mkdir(parents=True)
    report = check_home(situation, 30)
    assert [one.file for one in report.problems if one.code == "not_utf8"] == ["entries/default/a.md"]
    assert (report.checked, told) == (3 + 5, [30])
