"""The queue of proposals at the command line: ages, what is stale, and how many wait."""

from typing import Any

import pytest

from house.invocation import Invoke, Ran
from wuu import clock
from wuu.cli.memory.rendering import age_of

AGENT = {"CLAUDECODE": "1"}
TARGET_TEXT = "The mast is oak."


@pytest.fixture
def mem(invoke: Invoke) -> Invoke:
    def run(*arguments: str, **others: Any) -> Ran:
        return invoke("memory", *arguments, **others)

    return run


def _new(mem: Invoke, *arguments: str, **others: Any) -> str:
    done = mem(*arguments, "--json", **others)
    assert done.exit_code == 0, done.stdout
    return str(done.data["memory"]["id"])


@pytest.mark.parametrize(
    ("seconds", "age"),
    [(-90, "now"), (59, "now"), (60, "1 min"), (3_599, "59 min"), (3_600, "1 h"), (86_400 * 12, "12 d")],
)
def test_an_age_has_one_unit(monkeypatch: pytest.MonkeyPatch, seconds: int, age: str) -> None:
    monkeypatch.setattr(clock, "now", lambda: 1_798_761_600.0 + seconds)  # 2027-01-01
    assert age_of("2027-01-01T00:00:00.000000Z") == age
    assert age_of(None) == "-"


def test_a_list_has_the_age_before_the_text(mem: Invoke) -> None:
    _new(mem, "add", TARGET_TEXT)
    assert mem("list").stdout.rstrip("\n").split("\t")[-2:] == ["now", TARGET_TEXT]
    assert mem("search", "mast").stdout.split("\t")[-2] == "now"


def test_show_says_what_a_proposal_would_change_and_why_it_cannot(mem: Invoke) -> None:
    target = _new(mem, "add", TARGET_TEXT, "--category", "stack")
    proposal = _new(mem, "propose", "--update", target, "--category", "build", env=AGENT)
    told = mem("show", proposal).stdout
    assert "change\tcategory\tstack → build\n" in told
    assert "obstacle\t" not in told
    mem("pin", target)
    assert "obstacle\tstale_revision\t" in mem("show", proposal).stdout


def test_stale_lists_what_cannot_be_applied_with_the_reason(mem: Invoke) -> None:
    assert "Nothing that waits is stale" in mem("list", "--stale").stderr
    target = _new(mem, "add", TARGET_TEXT)
    proposal = _new(mem, "propose", "--update", target, "--category", "build", env=AGENT)
    _new(mem, "propose", "The keel is iron.", env=AGENT)
    mem("archive", target)
    (line,) = mem("list", "--stale").stdout.splitlines()
    assert line.split("\t")[0] == proposal
    assert "was archived since" in line.split("\t")[-2]
    (one,) = mem("list", "--stale", "--json").data["memories"]
    assert (one["id"], one["stale"]["code"]) == (proposal, "target_archived")
    assert mem("list", "--stale", "--status", "saved").exit_code == 2


def test_waiting_is_one_number(mem: Invoke) -> None:
    assert mem("status", "--waiting").stdout == "0\n"
    _new(mem, "add", TARGET_TEXT)
    _new(mem, "propose", "The keel is iron.", env=AGENT)
    assert mem("status", "--waiting").stdout == "1\n"
    assert mem("status", "--waiting", "--json").data == {
        "waiting": 1,
        "by_scope": {"user": 0, "project": 1, "session": 0},
    }
