"""`wuu memory` and `wuu remember`: what they answer, to people and as JSON, and what they ask before."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from house.invocation import Invoke, Ran
from wuu.cli.memory import options
from wuu.cli.memory.rendering import quoted
from wuu.errors import Locked
from wuu.memory import actions, shelves
from wuu.memory.format import entry

MEMORY_KEYS = [
    *("categories", "category", "confidence", "created_at", "evidence", "id", "links", "path", "pinned"),
    *("profile", "proposal", "proposer", "redactions", "revision", "scope", "sensitivity", "session_id"),
    *("status", "tags", "text", "updated_at", "verified_at", "workspace"),
]
AGENT = {"CLAUDECODE": "1"}


@pytest.fixture
def mem(invoke: Invoke) -> Invoke:
    def run(*arguments: str, **others: Any) -> Ran:
        return invoke("memory", *arguments, **others)

    return run


@pytest.fixture
def add(mem: Invoke) -> Callable[..., str]:
    """Return what adds a memory and returns its id."""

    def run(*arguments: str, **others: Any) -> str:
        done = mem("add", *arguments, "--json", **others)
        assert done.exit_code == 0, done.stdout
        return str(done.data["memory"]["id"])

    return run


def _ids(ran: Ran) -> list[str]:
    return [line.split("\t")[0] for line in ran.stdout.splitlines()]


def _files() -> list[str]:
    home = Path(os.environ["WUU_HOME"])
    return sorted(path.name for path in home.rglob("entries/**/*.md"))


# --- adding ---------------------------------------------------------------------------------------------


def test_remember_is_the_short_way_of_add(invoke: Invoke, mem: Invoke) -> None:
    first = invoke("remember", "The", "mast", "is oak.")
    assert (first.exit_code, first.stdout, first.stderr) == (
        0,
        'Memory saved · project · "The mast is oak."\n',
        "",
    )
    assert invoke("remember", "--user", "I sail.").stdout == 'Memory saved · user · "I sail."\n'
    assert [line.split("\t")[1:3] for line in mem("list").stdout.splitlines()] == [
        ["user", "saved"],
        ["project", "saved"],
    ]


def test_what_add_answers_as_json(mem: Invoke) -> None:
    done = mem(
        *("add", "The mast is oak.", "--user", "--category", "stack", "--categories", "a, b", "--tag", "x"),
        *("--tag", "y", "--pin", "--sensitivity", "high", "--verified", "2026-05-01", "--source", "log:3"),
        "--json",
    )
    assert sorted(done.data) == ["dry_run", "duplicate_of", "memory", "notice", "replayed"]
    memory = done.data["memory"]
    assert sorted(memory) == MEMORY_KEYS
    expected = {
        "text": "The mast is oak.",
        "scope": "user",
        "status": "saved",
        "category": "stack",
        "categories": ["a", "b"],
        "tags": ["x", "y"],
        "pinned": True,
        "sensitivity": "high",
        "verified_at": "2026-05-01",
        "evidence": [{"kind": "source", "ref": "log:3"}],
        "proposer": "user",
    }
    assert {name: memory[name] for name in expected} == expected
    assert done.data["notice"] == 'Memory saved · user · "The mast is oak." · pinned'
    assert done.data["duplicate_of"] is None


def test_today_is_the_persons_own(mem: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wuu.clock.today", lambda: "2026-02-03")
    assert mem("add", "a", "--verified", "today", "--json").data["memory"]["verified_at"] == "2026-02-03"


def test_the_text_may_come_through_a_pipe(mem: Invoke) -> None:
    text = "One.\n\n  Two, indented.\n"
    assert mem("add", "-", "--json", stdin=text).data["memory"]["text"] == text.rstrip("\n")


def test_a_long_text_is_told_by_its_first_sixty_characters(mem: Invoke) -> None:
    notice = mem("add", "word\n" * 40).stdout
    assert notice == f'Memory saved · project · "{("word " * 12).rstrip()}…"\n'
    assert quoted("x" * 60) == f'"{"x" * 60}"'
    assert quoted("x" * 61) == f'"{"x" * 60}…"'


def test_what_is_remembered_already_announces_no_success(mem: Invoke, add: Callable[..., str]) -> None:
    known = add("The mast is oak.")
    again = mem("add", "the MAST  is oak.", "--json")
    assert (again.exit_code, again.data["duplicate_of"], again.data["memory"]["id"]) == (0, known, known)
    assert again.data["notice"].startswith("Already remembered · project")
    as_text = mem("add", "The mast is oak.", "--user")
    assert as_text.stdout == 'Already remembered · project · "The mast is oak."\n'
    assert as_text.stderr == f"It is {known}; wuu memory edit {known} --scope user moves it.\n"
    assert _files() == [f"{known}.md"]


def test_what_waits_or_was_put_away_is_saved_by_a_persons_add_and_that_is_said(
    mem: Invoke, add: Callable[..., str]
) -> None:
    waiting = add("The mast is oak.", env=AGENT)
    again = mem("add", "The mast is oak.", "--json")
    assert (again.data["duplicate_of"], again.data["memory"]["status"]) == (waiting, "saved")
    assert "it was waiting for approval" in again.data["notice"]
    mem("archive", waiting)
    again = mem("add", "The mast is oak.", "--json")
    assert (again.data["duplicate_of"], again.data["memory"]["status"]) == (waiting, "saved")
    assert "it was archived" in again.data["notice"]


def test_what_an_agent_adds_waits(mem: Invoke) -> None:
    done = mem("add", "The mast is oak.", "--json", env=AGENT)
    assert (done.exit_code, done.data["memory"]["status"], done.data["memory"]["proposer"]) == (
        0,
        "pending",
        "agent",
    )
    assert done.data["notice"] == 'Waits for approval · project · "The mast is oak."'
    again = mem("add", "The mast is oak.", env=AGENT)
    assert again.stdout == 'Already remembered · project · "The mast is oak." · it is waiting for approval\n'


@pytest.mark.parametrize(
    "arguments",
    [
        ("--user", "--project"),
        ("--user", "--session-scope"),
        ("--redact", "--allow-secret"),
        ("--session-scope",),
        ("--verified", "soon"),
        ("--sensitivity", "secret"),
        ("--tag", "a,b"),
    ],
)
def test_what_add_does_not_understand(mem: Invoke, arguments: tuple[str, ...]) -> None:
    assert mem("add", "a", *arguments).exit_code == 2
    assert _files() == []


def test_outside_of_any_project_add_names_the_way_out(mem: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    refused = mem("add", "a")
    assert refused.exit_code == 5
    assert "--user" in refused.stderr
    assert mem("add", "a", "--user").exit_code == 0
    assert len(_ids(mem("list"))) == 1


def test_a_session_memory_is_shown_only_when_asked_for(mem: Invoke, add: Callable[..., str]) -> None:
    of_session = add("In here only.", "--session-scope", "--session", "s1")
    other = add("In there only.", "--session-scope", "--session", "s2")
    project = add("Everywhere here.")
    assert _ids(mem("list")) == [project]
    assert _ids(mem("list", env={"WUU_SESSION": "s1"})) == [project]
    assert _ids(mem("list", "--session", "s1")) == [project, of_session]
    assert _ids(mem("list", "--session", "all")) == [project, other, of_session]
    assert _ids(mem("list", "--scope", "session", "--session", "s2")) == [other]
    assert _ids(mem("list", "--scope", "session", env={"WUU_SESSION": "s1"})) == [of_session]
    assert mem("list", "--scope", "session", "--session", "s2").stdout.split("\t")[1] == "session:s2"
    assert _ids(mem("search", "only")) == []
    assert _ids(mem("search", "only", "--session", "s1")) == [of_session]
    assert mem("show", of_session).exit_code == 0


# --- reading --------------------------------------------------------------------------------------------


def test_an_empty_list_says_what_to_do_next(mem: Invoke) -> None:
    empty = mem("list")
    assert (empty.exit_code, empty.stdout) == (0, "")
    assert "wuu remember" in empty.stderr
    assert mem("list", "--json").data == {"memories": [], "total": 0, "omitted": 0}
    nothing = mem("search", "mast")
    assert (nothing.exit_code, nothing.stdout, nothing.stderr) == (
        0,
        "",
        "No memory holds any of these words.\n",
    )


def test_a_list_names_what_a_limit_leaves_out(mem: Invoke, add: Callable[..., str]) -> None:
    ids = [add(f"Fact {number}.") for number in range(3)]
    some = mem("list", "--limit", "2")
    assert _ids(some) == [ids[2], ids[1]]
    assert some.stderr == "1 more; a higher --limit shows them.\n"
    data = mem("list", "--limit", "2", "--json").data
    assert (len(data["memories"]), data["total"], data["omitted"]) == (2, 3, 1)
    assert sorted(data["memories"][0]) == MEMORY_KEYS
    assert mem("list", "--limit", "0").exit_code == 2


def test_every_filter_is_an_option(mem: Invoke, add: Callable[..., str]) -> None:
    wanted = add("The MAST is oak.", "--category", "stack", "--tag", "Wood", "--pin")
    other = add("The sail is red.", "--user")
    waiting = add("The keel is iron.", env=AGENT)
    for arguments in (
        ("--text", "mast"),
        ("--category", "STACK"),
        ("--tag", "wood"),
        ("--pinned",),
        ("--scope", "project", "--status", "saved"),
    ):
        assert _ids(mem("list", *arguments)) == [wanted], arguments
    assert _ids(mem("list", "--not-pinned", "--proposer", "user")) == [other]
    assert _ids(mem("list", "--status", "pending")) == [waiting]
    assert _ids(mem("list", "--proposer", "agent")) == [waiting]
    assert len(_ids(mem("list", "--status", "all"))) == len(_ids(mem("list"))) == 3
    assert len(_ids(mem("list", "--newer-than", "1"))) == 3
    assert _ids(mem("list", "--older-than", "1")) == []
    assert mem("list", "--proposer", "nobody").exit_code == 2


def test_what_search_answers(mem: Invoke, add: Callable[..., str]) -> None:
    saved = add("The mast is oak.")
    waiting = add("The mast is pine.", env=AGENT)
    assert _ids(mem("search", "the mast")) == [saved]
    assert _ids(mem("search", "mast", "--status", "pending")) == [waiting]
    assert set(_ids(mem("search", "mast", "--status", "all"))) == {saved, waiting}
    data = mem("search", "mast", "oak", "--json").data
    assert sorted(data) == ["memories", "query", "total"]
    assert (data["query"], data["total"]) == ("mast oak", 1)
    assert sorted(data["memories"][0]) == sorted([*MEMORY_KEYS, "score", "snippet"])
    assert data["memories"][0]["score"] > 0
    assert mem("search", "").exit_code == 2


def test_show_tells_everything(mem: Invoke, add: Callable[..., str]) -> None:
    memory_id = add("One.\n\nTwo.", "--tag", "a", "--tag", "b c", "--source", "log:3")
    shown = mem("show", memory_id[:6]).stdout
    head, _, text = shown.partition("\n\n")
    fields = dict(line.split("\t", 1) for line in head.split("\n"))
    assert text == "One.\n\nTwo.\n"
    assert (fields["id"], fields["tags"], fields["evidence"]) == (
        memory_id,
        "a, b c",
        "kind=source ref=log:3",
    )
    assert fields["path"].endswith(f"/entries/{memory_id}.md")
    assert Path(fields["path"]).is_file()
    assert mem("show", memory_id, "--json").data["memory"]["path"] == fields["path"]


def test_an_id_that_is_not_unique_is_refused_with_the_candidates(
    mem: Invoke, add: Callable[..., str]
) -> None:
    known = Path(mem("show", add("Known."), "--json").data["memory"]["path"])
    for name in ("ab00000000000001", "ab00000000000002"):
        (known.parent / f"{name}.md").write_text(known.read_text())
    refused = mem("show", "ab", "--json")
    assert (refused.exit_code, refused.json()["errors"][0]["code"]) == (3, "ambiguous")
    assert refused.json()["errors"][0]["details"]["ids"] == ["ab00000000000001", "ab00000000000002"]
    assert mem("show", "ab00000000000001").exit_code == 0
    assert mem("show", "ffff").exit_code == 3
    assert mem("show", "x").exit_code == 2


def test_status_and_categories_and_the_index_are_told(mem: Invoke, add: Callable[..., str]) -> None:
    add("The mast is oak.", "--category", "stack")
    status = mem("status")
    assert "project memories\t0 pending, 1 saved, 0 archived, 0 pinned\n" in status.stdout
    assert "memoryUse\tno\n" in status.stdout
    assert mem("status", "--json").data["waiting"] == 0
    categories = mem("categories")
    assert "stack\treview\treview\t1\t" in categories.stdout
    assert mem("categories", "--json").data["categories"][0]["id"] == "objective"
    rebuilt = mem("index", "rebuild", "--json")
    assert [one["indexed"] for one in rebuilt.data["indexes"]] == [0, 1]
    assert len(mem("index", "status").stdout.splitlines()) == 2
    assert mem("index", "rebuild", "--read-only").exit_code == 5


# --- changing -------------------------------------------------------------------------------------------


def test_the_life_of_a_memory(mem: Invoke, add: Callable[..., str]) -> None:
    memory_id = add("The mast is oak.")
    quoted_text = '"The mast is oak."'
    for arguments, notice in (
        (("pin", memory_id), f"Memory pinned · project · {quoted_text}"),
        (("pin", memory_id), f"Nothing to change · project · {quoted_text}"),
        (("archive", memory_id), f"Memory archived · project · {quoted_text}"),
        (("restore", memory_id), f"Memory restored · project · {quoted_text}"),
        (("restore", memory_id), f"Nothing to change · project · {quoted_text}"),
        (("unpin", memory_id), f"Nothing to change · project · {quoted_text}"),
        (("restore", memory_id, "--to", "pending"), f"Memory returned to review · project · {quoted_text}"),
        (("approve", memory_id), f"Memory saved · project · {quoted_text}"),
        (
            ("edit", memory_id, "--scope", "user"),
            f"Memory updated · user · {quoted_text} · moved from project",
        ),
        (("edit", memory_id, "--pin"), f"Memory updated · user · {quoted_text} · pinned"),
        (("edit", memory_id, "--no-pin"), f"Memory updated · user · {quoted_text} · no longer pinned"),
        (("delete", memory_id, "--yes"), f"Memory removed · user · {quoted_text}"),
    ):
        done = mem(*arguments)
        assert (done.exit_code, done.stdout) == (0, f"{notice}\n"), arguments
    assert _files() == []


def test_archiving_says_that_it_unpins(mem: Invoke, add: Callable[..., str]) -> None:
    memory_id = add("The mast is oak.", "--pin")
    assert "no longer" in mem("archive", memory_id).stderr


def test_an_edit_changes_what_is_named_and_answers_like_add(mem: Invoke, add: Callable[..., str]) -> None:
    memory_id = add("The mast is oak.", "--tag", "a", "--tag", "b", "--category", "x", "--categories", "y")
    done = mem(
        "edit", memory_id[:5], "--text", "-", "--add-tag", "c", "--remove-tag", "A", "--json", stdin="New.\n"
    )
    memory = done.data["memory"]
    assert (memory["id"], memory["text"], memory["tags"]) == (memory_id, "New.", ["b", "c"])
    assert (memory["category"], memory["categories"]) == ("x", ["y"])
    cleared = mem("edit", memory_id, "--tag", "", "--categories", "", "--category", "z", "--json").data[
        "memory"
    ]
    assert (cleared["tags"], cleared["categories"], cleared["category"]) == ([], [], "z")


def test_an_edit_of_what_changed_meanwhile_is_refused(mem: Invoke, add: Callable[..., str]) -> None:
    memory_id = add("The mast is oak.")
    seen = mem("show", memory_id, "--json").data["memory"]["revision"]
    assert mem("edit", memory_id, "--add-tag", "a", "--revision", seen).exit_code == 0
    stale = mem("edit", memory_id, "--add-tag", "b", "--revision", seen, "--json")
    assert (stale.exit_code, stale.json()["errors"][0]["code"]) == (4, "stale_revision")


def test_several_are_changed_each_on_its_own(mem: Invoke, add: Callable[..., str]) -> None:
    ids = [add(f"Fact {number}.") for number in range(3)]
    mem("archive", ids[1])
    done = mem("pin", *ids, ids[0], "ffff", "--json")
    assert (done.exit_code, done.json()["status"], done.json()["errors"][0]["code"]) == (
        1,
        "partial",
        "partial",
    )
    results = done.data["results"]
    assert [(one["id"], one["outcome"], one["code"]) for one in results] == [
        (ids[0], "pinned", None),
        (ids[1], "failed", "refused"),
        (ids[2], "pinned", None),
        ("ffff", "failed", "not_found"),
    ]
    assert all((one["reason"] is None) == (one["code"] is None) for one in results)
    as_text = mem("unpin", ids[0], ids[2])
    assert as_text.exit_code == 0
    assert as_text.stdout.splitlines() == [
        f'{ids[0]}\tunpinned\tproject · "Fact 0."',
        f'{ids[2]}\tunpinned\tproject · "Fact 2."',
    ]
    assert mem("archive", ids[0], ids[2], "--quiet").stdout == ""


def test_one_alone_fails_with_its_own_status(mem: Invoke, add: Callable[..., str]) -> None:
    memory_id = add("Fact.", env=AGENT)
    refused = mem("pin", memory_id, "--json")
    assert (refused.exit_code, refused.json()["errors"][0]["code"]) == (5, "refused")
    assert mem("pin", "ffff").exit_code == 3
    assert mem("pin").exit_code == 2


def test_one_alone_answers_like_an_edit_and_like_a_batch(mem: Invoke, add: Callable[..., str]) -> None:
    memory_id = add("Fact.")
    data = mem("pin", memory_id[:4], "--json").data
    assert data["memory"]["pinned"] is True
    assert data["results"] == [{"id": memory_id, "outcome": "pinned", "reason": None, "code": None}]
    gone = mem("delete", memory_id, "--yes", "--json").data
    assert (gone["memory"], gone["results"][0]["outcome"]) == (None, "removed")


def test_what_stops_all_of_them_is_told_once(mem: Invoke, add: Callable[..., str]) -> None:
    ids = [add(f"Fact {number}.") for number in range(2)]
    refused = mem("pin", *ids, "--read-only", "--json")
    assert (refused.exit_code, refused.json()["errors"][0]["code"]) == (5, "read_only_mode")


def test_what_stops_the_rest_half_way_leaves_told_what_was_done(
    mem: Invoke, add: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [add(f"Fact {number}.") for number in range(4)]
    change = actions.change_memory

    def locked_from_the_second_on(situation: Any, request: Any, options: Any) -> Any:
        if request.id == ids[1]:
            raise Locked("Another wuu is writing.")
        return change(situation, request, options)

    monkeypatch.setattr(actions, "change_memory", locked_from_the_second_on)
    stopped = mem("pin", *ids, "--json")
    assert (stopped.exit_code, stopped.json()["status"]) == (1, "partial")
    results = [(one["outcome"], one["code"]) for one in stopped.data["results"]]
    assert results == [("pinned", None), ("failed", "locked"), ("skipped", "locked"), ("skipped", "locked")]
    assert mem("pin", *ids[1:]).exit_code == 6
    assert mem("list", "--pinned", "--json").data["total"] == 1


def test_a_dry_run_shows_the_change_and_makes_none(mem: Invoke, add: Callable[..., str]) -> None:
    ids = [add(f"Fact {number}.") for number in range(2)]
    before = mem("list").stdout
    for arguments in (
        ("add", "New."),
        ("edit", ids[0], "--text", "Other."),
        ("archive", ids[0]),
        ("delete", ids[0]),
        ("delete", *ids),
        ("undo",),
    ):
        done = mem(*arguments, "--dry-run")
        assert done.exit_code == 0
        assert done.stdout.startswith("--- ")
        assert done.stderr.startswith("Dry run · ")
        assert mem(*arguments, "--dry-run", "--json").data["diff"].startswith("--- ")
    assert mem("list").stdout == before
    dry = mem("edit", ids[0], "--text", "Other.", "--dry-run", "--json").data
    assert (dry["dry_run"], dry["memory"]["text"]) == (True, "Other.")


def test_a_request_that_is_repeated_changes_nothing_more(mem: Invoke, add: Callable[..., str]) -> None:
    first = mem("add", "Once.", "--request-id", "r1", "--json").data
    again = mem("add", "Once.", "--request-id", "r1", "--json").data
    assert (again["replayed"], again["memory"]["id"]) == (True, first["memory"]["id"])
    assert again["notice"] == f"Done before · {first['memory']['id']}"
    ids = [first["memory"]["id"], add("Twice.")]
    for _ in range(2):
        deleted = mem("delete", *ids, "--yes", "--request-id", "r2", "--json")
        assert (deleted.exit_code, [one["id"] for one in deleted.data["results"]]) == (0, ids)
    assert deleted.data["results"][0]["outcome"] == "done before"
    reused = mem("delete", ids[0], "--yes", "--request-id", "r1", "--json")
    assert reused.json()["errors"][0]["code"] == "request_id_reused"


@pytest.mark.parametrize("command", ["pin", "restore", "unpin"])
def test_of_a_saved_memory_an_agent_changes_nothing(
    mem: Invoke, add: Callable[..., str], command: str
) -> None:
    memory_id = add("Fact.")
    refused = mem(command, memory_id, "--json", env=AGENT)
    assert (refused.exit_code, refused.json()["errors"][0]["code"]) == (5, "approval_required")


@pytest.mark.parametrize("more", [("archive",), ("delete",), ("delete", "--yes"), ("edit", "--add-tag", "a")])
def test_what_an_agent_wants_changed_is_proposed(
    mem: Invoke, add: Callable[..., str], more: tuple[str, ...]
) -> None:
    memory_id = add("Fact.")
    path = Path(mem("show", memory_id, "--json").data["memory"]["path"])
    before = path.read_bytes()
    command, *options = more
    done = mem(command, memory_id, *options, "--json", env=AGENT)
    assert done.exit_code == 0
    proposed = done.data["memory"]
    wanted = "update" if command == "edit" else "archive"
    assert (proposed["status"], proposed["proposal"]["operation"]) == ("pending", wanted)
    assert proposed["proposal"]["target"] == memory_id
    assert path.read_bytes() == before
    assert mem("approve", proposed["id"]).exit_code == 0
    assert path.read_bytes() != before
    assert mem("list", "--status", "pending", "--json").data["memories"] == []


def test_undo_deletes_what_this_session_saved_newest_first(mem: Invoke, add: Callable[..., str]) -> None:
    session = {"WUU_SESSION": "s1"}
    outside = add("Outside.")
    first, second = add("First.", env=session), add("Second.", "--user", env=session)
    newest = add("Newest, outside.")
    assert mem("undo", env=session).stdout == 'Memory removed · user · "Second."\n'
    assert mem("undo", env=session).stdout == 'Memory removed · project · "First."\n'
    assert mem("undo", env=session).exit_code == 3
    assert _files() == sorted([f"{outside}.md", f"{newest}.md"])
    assert {first, second}.isdisjoint(_ids(mem("list")))
    unasked = mem("undo")
    assert unasked.exit_code == 5
    assert newest in unasked.stderr
    assert mem("undo", "--yes").exit_code == 0
    assert _ids(mem("list")) == [outside]


# --- the editor -----------------------------------------------------------------------------------------


@pytest.fixture
def editor(tmp_path: Path) -> Callable[[str], dict[str, str]]:
    """Return a maker of editors: Python code to which `place` is the file."""

    def make(code: str) -> dict[str, str]:
        script = tmp_path / f"editor-{len(list(tmp_path.iterdir()))}.py"
        script.write_text(f"import os, pathlib, sys\nplace = pathlib.Path(sys.argv[1])\n{code}\n")
        return {"EDITOR": f"'{sys.executable}' '{script}'", "TMPDIR": str(tmp_path)}

    return make


@pytest.fixture
def mem_process(wuu_process: Invoke) -> Invoke:
    """Return the runner of `wuu memory` as a process: an editor needs real streams."""

    def run(*arguments: str, **others: Any) -> Ran:
        return wuu_process("memory", *arguments, **others)

    return run


def test_a_text_is_written_and_changed_in_an_editor(
    mem: Invoke, mem_process: Invoke, editor: Callable[[str], dict[str, str]]
) -> None:
    added = mem("add", "--tag", "a", "--json", env=editor("place.write_text('The mast is oak.\\n')"))
    assert added.exit_code == 2  # --json means that nobody is asked
    added = mem_process("add", "--tag", "a", env=editor("place.write_text('The mast is oak.\\n')"))
    assert added.stdout == 'Memory saved · project · "The mast is oak."\n'
    (memory_id,) = _ids(mem("list", "--tag", "a"))
    swap = editor("place.write_text(place.read_text().replace('oak', 'pine'))")
    assert (
        mem_process("edit", memory_id[:4], env=swap).stdout
        == 'Memory updated · project · "The mast is pine."\n'
    )
    assert mem_process("edit", memory_id, env=swap).stdout.startswith("Nothing to change")
    emptied = mem_process("edit", memory_id, env=editor("place.write_text(' \\n')"))
    assert emptied.exit_code == 2
    assert "wuu memory delete" in emptied.stderr


def test_o02_what_changed_while_the_editor_was_open_is_not_lost(
    mem: Invoke,
    mem_process: Invoke,
    add: Callable[..., str],
    editor: Callable[[str], dict[str, str]],
) -> None:
    memory_id = add("The mast is oak.")
    path = Path(mem("show", memory_id, "--json").data["memory"]["path"])
    meanwhile = f"other = pathlib.Path({str(path)!r}); other.write_text(other.read_text() + 'By hand.\\n')"
    refused = mem_process("edit", memory_id, env=editor(f"{meanwhile}; place.write_text('Typed.')"))
    assert refused.exit_code == 4
    draft = refused.stderr.split("Your text is in ")[1].split(". ")[0].strip()
    assert Path(draft).read_text() == "Typed."
    assert "By hand." in path.read_text()


def test_what_is_refused_anyway_is_refused_before_anybody_writes(
    mem_process: Invoke,
    add: Callable[..., str],
    editor: Callable[[str], dict[str, str]],
    tmp_path: Path,
) -> None:
    memory_id = add("Fact.")
    env = editor(f"pathlib.Path({str(tmp_path / 'opened')!r}).touch()")
    for arguments, more in (
        (("edit", memory_id, "--read-only"), {}),
        (("edit", memory_id, "--pin"), AGENT),
        (("edit", "ffff"), {}),
        (("edit", memory_id, "--revision", "sha256:0"), {}),
        (("add", "--read-only"), {}),
        (("add", "--tag", "a,b"), {}),
        (("add", "--session-scope"), {}),
    ):
        assert mem_process(*arguments, env={**env, **more}).exit_code in (2, 3, 4, 5)
        assert not (tmp_path / "opened").exists(), arguments
    assert mem_process("edit", memory_id, env=env).stdout.startswith("Nothing to change")
    assert (tmp_path / "opened").exists()


# --- the house ------------------------------------------------------------------------------------------


def test_what_the_help_restates_is_what_the_room_says() -> None:
    assert options.SCOPES == shelves.SCOPES
    assert set(options.STATUSES) == set(entry.STATUSES)
    assert set(options.SENSITIVITIES) == set(entry.SENSITIVITIES)
    assert set(options.PROPOSERS) == set(entry.PROPOSERS)


_PROBE = """
import sys
from wuu.launch import main
with open(sys.argv[1], "w") as file:
    status = main(sys.argv[2:])
    file.write("\\n".join(sorted(sys.modules)))
sys.exit(status)
"""
HEAVY = frozenset(
    ("rich", "yaml", "frontmatter", "platformdirs", "sqlite3", "difflib", "subprocess", "asyncio")
)
READING = HEAVY | {"portalocker", "dataclasses", "pathlib", "tempfile", "logging", "importlib.metadata"}


@pytest.mark.parametrize(
    ("arguments", "without"),
    [
        (("memory", "--help"), READING | {"wuu.memory"}),
        (("memory", "add", "The mast is oak."), HEAVY),
        (("remember", "The mast is oak."), HEAVY),
        (("memory", "list"), READING),
        (("memory", "config", "get", "memoryUse"), READING | {"wuu.memory"}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_an_entry_imports_only_what_it_needs(
    arguments: tuple[str, ...], without: frozenset[str], tmp_path: Path, add: Callable[..., str]
) -> None:
    add("Another fact.")
    report = tmp_path / "modules"
    subprocess.run([sys.executable, "-c", _PROBE, report, *arguments], capture_output=True, check=True)
    loaded = set(report.read_text().split("\n"))
    assert "wuu.cli.root" in loaded
    assert sorted(loaded & without) == []
    assert "wuu.notebook.actions" not in loaded


def test_json_is_one_document_without_notices(mem: Invoke) -> None:
    done = mem("add", "The mast is oak.", "--json")
    assert json.loads(done.stdout)["command"] == ["memory", "add"]
    assert done.stderr == ""
