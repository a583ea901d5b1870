"""`wuu memory graph`: what each command answers to people, scripts and programs, and what it refuses."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cases.memories import IDS, PLAIN, put, shelf_of, stored, user_shelf
from cases.processes import at_terminal, console
from house.invocation import Invoke, Ran
from wuu.cli.memory import linking
from wuu.memory.format import entry
from wuu.memory.graph import values

A, B, C, D = IDS[:4]
TEXTS = {A: "The mast is oak.", B: "The bell is bronze.", C: "The rope is new."}
AGENT = {"CLAUDECODE": "1"}
MARKUP = 'fix [/etc/hosts] [/red] "quoted" arr[bold] :warning: </b> | \\ ; #35;'
SECRET = "The token is AKIA" + "QUOLLWOMBAT" + "42XYZ"
JSON_KEYS = {
    "overview": ["conflicts", "edges", "health", "isolated", "links", "memories", "nodes", "omitted"],
    "search": ["memories", "query", "total"],
    "validate": ["errors", "health", "links", "memories", "problems", "warnings"],
    "link": ["dry_run", "link", "notice", "replayed"],
    "upsert": ["dry_run", "duplicate_of", "memory", "notice", "replayed"],
}


@pytest.fixture
def home() -> Path:
    place = Path(os.environ["WUU_HOME"])
    place.mkdir(mode=0o700)
    return place


@pytest.fixture
def three(home: Path) -> Path:
    """Return the folder of three memories of this project without links."""
    shelf = shelf_of(home)
    for memory_id, text in TEXTS.items():
        put(shelf, memory_id, text)
    return shelf


@pytest.fixture
def graph(invoke: Invoke) -> Callable[..., Ran]:
    def run(*arguments: str, status: int = 0, **others: Any) -> Ran:
        done = invoke("memory", "graph", *arguments, **others)
        assert done.exit_code == status, done.stdout + done.stderr
        return done

    return run


def add_line(shelf: Path, memory_id: str, line: str) -> None:
    """Write a line into the block of a memory, the way a person does."""
    place = shelf / f"{memory_id}.md"
    place.write_text(place.read_text().replace("\n---\n", f"\n{line}\n---\n", 1))


def code(ran: Ran) -> str:
    (error,) = ran.json()["errors"]
    return str(error["code"])


def edges(graph: Callable[..., Ran]) -> list[tuple[str, str, str]]:
    found = graph("overview", "--json").data["edges"]
    return [(one["source"], one["kind"], one["target"]) for one in found]


def test_what_the_commands_restate_is_what_the_room_says() -> None:
    assert linking.KINDS == entry.LINK_KINDS
    assert linking.CLASSIFICATIONS == values.CLASSIFICATIONS


# --- overview -------------------------------------------------------------------------------------------


def test_an_empty_graph_says_so(graph: Callable[..., Ran]) -> None:
    done = graph("overview")
    assert (done.stdout, done.stderr.split(":")[0]) == ("", "empty")
    found = graph("overview", "--json").data
    assert sorted(found) == JSON_KEYS["overview"]
    assert (found["health"], found["memories"], found["nodes"], found["edges"]) == ("empty", 0, [], [])
    assert not Path(os.environ["WUU_HOME"]).exists()


def test_the_overview_names_the_most_linked_first(graph: Callable[..., Ran], three: Path, home: Path) -> None:
    pinned = put(user_shelf(home), D, "I sail.")
    pinned.write_text(pinned.read_text().replace("\n---\n", "\npinned: true\n---\n", 1))
    graph("link", C, A, "--kind", "conflicts")
    graph("link", C, B, "--kind", "supports")
    done = graph("overview")
    assert done.stdout.splitlines() == [
        f"{C}\tproject\tother\t-\t2\tThe rope is new.",
        f"{A}\tproject\tother\t-\t1\tThe mast is oak.",
        f"{B}\tproject\tother\t-\t1\tThe bell is bronze.",
        f"{D}\tuser\tother\tpinned\t0\tI sail.",
    ]
    assert done.stderr == (
        "partial: Some memories have no links. 4 memories, 2 links, 1 isolated, 1 conflict.\n"
    )
    assert graph("overview", "--quiet").stderr == ""
    found = graph("overview", "--json").data
    assert sorted(found) == JSON_KEYS["overview"]
    assert [node["id"] for node in found["nodes"]] == [C, A, B, D]
    assert sorted(found["nodes"][0]) == ["category", "id", "links", "pinned", "scope", "text"]
    assert edges(graph) == [(A, "conflicts", C), (C, "supports", B)]
    assert (found["isolated"], found["conflicts"], found["omitted"]) == (1, 1, 0)


@pytest.mark.parametrize("health", ["disconnected", "partial", "connected"])
def test_the_health_of_a_graph(graph: Callable[..., Ran], three: Path, health: str) -> None:
    if health != "disconnected":
        graph("link", A, B)
    if health == "connected":
        graph("link", C, B)
    assert graph("overview").stderr.startswith(f"{health}: ")
    assert graph("validate", "--json").data["health"] == health


def test_a_limit_counts_what_it_leaves_out(graph: Callable[..., Ran], three: Path) -> None:
    graph("link", A, B)
    done = graph("overview", "--limit", "1")
    assert (done.stdout.count("\n"), "2 more memories are not shown." in done.stderr) == (1, True)
    found = graph("overview", "--limit", "1", "--json").data
    assert (found["memories"], len(found["nodes"]), found["omitted"], found["edges"]) == (3, 1, 2, [])


def test_at_most_two_hundred_nodes_are_shown(graph: Callable[..., Ran], home: Path) -> None:
    for number in range(230):
        put(shelf_of(home), f"{number:016x}", f"Note {number}.")
    found = graph("overview", "--json").data
    assert (found["memories"], len(found["nodes"]), found["omitted"]) == (230, 200, 30)
    graph("overview", "--limit", "201", status=2)


@pytest.mark.parametrize("change", ["status: pending", "status: archived"])
def test_only_saved_memories_are_nodes(graph: Callable[..., Ran], three: Path, change: str) -> None:
    graph("link", A, B)
    place = three / f"{B}.md"
    place.write_text(place.read_text().replace("status: saved", change))
    found = graph("overview", "--json").data
    assert ([node["id"] for node in found["nodes"]], found["edges"]) == ([A, C], [])
    for arguments in (("search", "bell"), ("export",), ("export", "--format", "mermaid")):
        assert "bronze" not in graph(*arguments).stdout
    assert "bronze" not in graph("search", "mast", "--json").stdout
    assert B not in graph("export", "--format", "json").stdout


def test_other_profiles_projects_and_sessions_have_graphs_of_their_own(
    graph: Callable[..., Ran], invoke: Invoke, home: Path, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    scopes = (
        ("--user", "--profile", "night"),
        ("--workspace", str(tmp_path / "other")),
        ("--session-scope", "--session", "s1"),
    )
    for scope in scopes:
        assert invoke("memory", "add", f"QUOLL {scope[0]}", *scope).exit_code == 0
    assert graph("overview", "--session", "s1", "--json").data["memories"] == 0
    assert graph("overview", "--profile", "night", "--json").data["memories"] == 1
    assert graph("overview", "--workspace", str(tmp_path / "other"), "--json").data["memories"] == 1
    assert graph("search", "QUOLL", "--json").data["total"] == 0


# --- search ---------------------------------------------------------------------------------------------


def test_a_search_shows_each_hit_with_what_it_is_linked_to(graph: Callable[..., Ran], three: Path) -> None:
    graph("link", A, B, "--kind", "supersedes")
    graph("link", C, A, "--kind", "supports")
    assert graph("search", "mast").stdout.splitlines() == [
        f"{A}\tproject\t-\t-\t-\tThe mast is oak.",
        f"{A}\tproject\tsupersedes\tout\t{B}\tThe bell is bronze.",
        f"{A}\tproject\tsupports\tin\t{C}\tThe rope is new.",
    ]
    found = graph("search", "mast", "--json").data
    assert sorted(found) == JSON_KEYS["search"]
    assert (found["query"], found["total"]) == ("mast", 1)
    (hit,) = found["memories"]
    assert {"score", "snippet", "neighbours", "links", "revision"} <= set(hit)
    assert hit["neighbours"] == [
        {"id": B, "kind": "supersedes", "direction": "out", "text": "The bell is bronze."},
        {"id": C, "kind": "supports", "direction": "in", "text": "The rope is new."},
    ]
    assert graph("search", "mast", "bronze", "--limit", "1", "--json").data["total"] == 2


def test_a_search_in_vain_is_a_success_that_says_so(graph: Callable[..., Ran], three: Path) -> None:
    done = graph("search", "WOMBAT")
    assert (done.stdout, done.stderr) == ("", "No saved memory holds any of these words.\n")


@pytest.mark.parametrize("arguments", [(), ("",), (" ",), ("mast", "--limit", "0"), ("mast", "--limit", "x")])
def test_a_search_that_cannot_be(graph: Callable[..., Ran], three: Path, arguments: tuple[str, ...]) -> None:
    assert code(graph("search", *arguments, "--json", status=2)) == "usage"


# --- link and unlink ------------------------------------------------------------------------------------


def test_links_are_made_replaced_and_removed_and_each_time_it_is_said(
    graph: Callable[..., Ran], three: Path
) -> None:
    told = [
        graph("link", A, B).stdout,
        graph("link", A, B).stdout,
        graph("link", B, A, "--kind", "supersedes").stdout,
        graph("unlink", A, B).stdout,
        graph("unlink", A, B).stdout,
    ]
    mast, bell = '"The mast is oak."', '"The bell is bronze."'
    assert told == [
        f"Memories linked · {mast} · related · {bell}\n",
        f"Nothing to change · {mast} · related · {bell}\n",
        f"Link replaced · {bell} · supersedes · {mast} · it was related\n",
        f"Link removed · {mast} · supersedes · {bell}\n",
        f"Nothing to change · {mast} · no link · {bell}\n",
    ]
    assert graph("link", A, B, "--quiet").stdout == ""
    assert edges(graph) == [(A, "related", B)]


def test_the_json_of_a_link(graph: Callable[..., Ran], three: Path) -> None:
    document = graph("link", A, B, "--kind", "supports", "--json").json()
    assert document["command"] == ["memory", "graph", "link"]
    found = document["data"]
    assert sorted(found) == JSON_KEYS["link"]
    assert (found["dry_run"], found["replayed"]) == (False, False)
    link = {"verb": "linked", "source": A, "target": B, "kind": "supports", "before": None}
    assert found["link"] == link
    again = graph("link", A, B, "--kind", "conflicts", "--json").data["link"]
    assert again == {**link, "verb": "relinked", "kind": "conflicts", "before": "supports"}
    gone = graph("unlink", B, A, "--json").data["link"]
    assert gone == {"verb": "unlinked", "source": B, "target": A, "kind": None, "before": "conflicts"}
    nothing = graph("unlink", B, A, "--json").data["link"]
    assert (nothing["verb"], nothing["before"], nothing["kind"]) == ("unchanged", None, None)


def test_the_beginning_of_an_id_is_enough_if_it_is_the_only_one(
    graph: Callable[..., Ran], home: Path
) -> None:
    shelf = shelf_of(home)
    for memory_id in ("3f2a" + "0" * 12, "3f2b" + "0" * 12, "91bc" + "0" * 12):
        put(shelf, memory_id, f"Note {memory_id}.")
    assert graph("link", "3f2a", "91bc", "--json").data["link"]["target"] == "91bc" + "0" * 12
    before = stored(home)
    for arguments in (("link", "3f2", "91bc"), ("link", "91bc", "3f2"), ("unlink", "3f2", "91bc")):
        assert code(graph(*arguments, "--json", status=3)) == "ambiguous"
    assert code(graph("upsert", "New.", "--link", "3f2", "--json", status=3)) == "ambiguous"
    assert stored(home) == before


@pytest.mark.parametrize(
    ("arguments", "status", "expected"),
    [
        (("link", A), 2, "usage"),
        (("link", A, B, "--kind", "odd"), 2, "usage"),
        (("link", A, B, "--kind", "Related"), 2, "usage"),
        (("link", A, "../x"), 2, "usage"),
        (("link", A, ""), 2, "usage"),
        (("link", A, D), 3, "not_found"),
        (("link", "ffff", A), 3, "not_found"),
        (("unlink", A, D), 3, "not_found"),
        (("link", A, A), 5, "refused"),
        (("upsert",), 2, "usage"),
        (("upsert", "New.", "--link", f"{A}:odd"), 2, "usage"),
        (("upsert", "New.", "--link", ":related"), 2, "usage"),
        (("upsert", "New.", "--link", "../x"), 2, "usage"),
        (("upsert", "New.", "--scope", "odd"), 2, "usage"),
        (("upsert", "New.", "--classification", "odd"), 2, "usage"),
        (("upsert", "New.", "--classification", "workspace", "--scope", "user"), 2, "usage"),
        (("upsert", "New.", "--scope", "session"), 2, "usage"),
        (("upsert", "New.", "--link", D), 3, "not_found"),
        (("upsert", "--id", D, "New."), 3, "not_found"),
        (("upsert", "--id", A, "The bell is bronze."), 4, "already_exists"),
        (("upsert", "--id", A, "--link", A), 5, "refused"),
        (("export", "--format", "svg"), 2, "usage"),
        (("overview", "--limit", "0"), 2, "usage"),
        (("no-such-command",), 2, "usage"),
        (("link", A, B, "--read-only"), 5, "read_only_mode"),
        (("upsert", "New.", "--read-only"), 5, "read_only_mode"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else str(value),
)
def test_what_is_refused_and_how(
    graph: Callable[..., Ran],
    home: Path,
    three: Path,
    arguments: tuple[str, ...],
    status: int,
    expected: str,
) -> None:
    before = stored(home)
    assert code(graph(*arguments, "--json", status=status)) == expected
    as_text = graph(*arguments, status=status)
    assert (as_text.stdout, as_text.stderr[:7]) == ("", "Error: ")
    assert stored(home) == before


def test_the_seventeenth_link_is_refused_and_the_way_out_named(
    graph: Callable[..., Ran], home: Path, three: Path
) -> None:
    others = IDS[4:20]
    for other in others:
        put(three, other, f"Note {other}.")
        add_line(three, A, f"link-{other}: supports")
    before = stored(home)
    for arguments in (("link", A, B), ("link", B, A), ("upsert", "--id", A, "--link", B)):
        refused = graph(*arguments, "--json", status=4)
        assert code(refused) == "link_limit"
    assert code(graph("upsert", "New.", "--link", A, "--json", status=4)) == "link_limit"
    (error,) = graph("link", A, B, "--json", status=4).json()["errors"]
    assert (error["details"]["limit"], sorted(error["details"]["links"])) == (16, sorted(others))
    assert f"wuu memory graph unlink {A} ID" in graph("link", A, B, status=4).stderr
    assert stored(home) == before
    graph("link", A, others[0], "--kind", "conflicts")
    graph("unlink", A, others[0])
    graph("link", A, B)


@pytest.mark.parametrize("status", ["pending", "archived"])
def test_only_saved_memories_are_linked(graph: Callable[..., Ran], three: Path, status: str) -> None:
    place = three / f"{B}.md"
    place.write_text(place.read_text().replace("status: saved", f"status: {status}"))
    for arguments in (("link", A, B), ("link", B, A), ("upsert", "New.", "--link", B)):
        refused = graph(*arguments, status=5)
        assert status in refused.stderr


def test_an_agent_changes_no_link_and_what_it_upserts_waits(
    graph: Callable[..., Ran], home: Path, three: Path
) -> None:
    graph("link", A, B)
    before = stored(home)
    for arguments in (
        ("link", A, C),
        ("unlink", A, B),
        ("upsert", "--id", A, "--link", C),
    ):
        assert code(graph(*arguments, "--json", status=5, env=AGENT)) == "approval_required"
    assert stored(home) == before
    waits = graph("upsert", "The keel is lead.", "--link", A, "--json", env=AGENT)
    assert waits.data["memory"]["status"] == "pending"
    assert waits.data["memory"]["links"] == []
    assert [one["code"] for one in waits.json()["warnings"]] == ["links_left_out"]
    assert edges(graph) == [(A, "related", B)]


# --- dry runs and request ids ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("link", A, B), f"+link-{B}: related"),
        (("link", A, C, "--kind", "supersedes"), f"-link-{C}: related"),
        (("unlink", A, C), f"-link-{C}: related"),
        (("upsert", "The keel is lead.", "--link", f"{A}:supports"), f"+link-{A}: supports"),
        (("upsert", "--id", B, "The bell is brass."), "-The bell is bronze."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_dry_run_shows_the_files_and_changes_none(
    graph: Callable[..., Ran], home: Path, three: Path, arguments: tuple[str, ...], line: str
) -> None:
    graph("link", A, C)
    before = stored(home)
    done = graph(*arguments, "--dry-run")
    assert line in done.stdout.splitlines()
    assert done.stderr.startswith("Dry run · ")
    found = graph(*arguments, "--dry-run", "--json").data
    assert (found["dry_run"], found["replayed"]) == (True, False)
    assert line in found["diff"].splitlines()
    assert found["notice"] == done.stderr.removesuffix("\n")
    assert stored(home) == before


@pytest.mark.parametrize("arguments", [("The keel is lead.",), ("--id", C)], ids=str)
def test_the_json_of_a_dry_run_has_the_links_that_would_be(
    graph: Callable[..., Ran], three: Path, arguments: tuple[str, ...]
) -> None:
    found = graph("upsert", *arguments, "--link", f"{A}:supports", "--dry-run", "--json").data["memory"]
    assert found["links"] == [{"id": A, "kind": "supports", "direction": "out"}]


REQUESTS = pytest.mark.parametrize(
    ("arguments", "other"),
    [
        (("link", A, B), ("link", A, C)),
        (("link", A, B), ("link", A, B, "--kind", "supports")),
        (("link", A, B), ("unlink", A, B)),
        (("unlink", A, C), ("unlink", B, C)),
        (("upsert", "The keel is lead.", "--link", A), ("upsert", "The keel is lead.", "--link", B)),
        (("upsert", "The keel is lead."), ("upsert", "The keel is iron.")),
        (("upsert", "--id", A, "--tag", "x"), ("upsert", "--id", A, "--tag", "y")),
    ],
    ids=" ".join,
)


@REQUESTS
def test_a_request_is_carried_out_once_and_its_id_is_of_no_other(
    graph: Callable[..., Ran], home: Path, three: Path, arguments: tuple[str, ...], other: tuple[str, ...]
) -> None:
    graph("link", A, C)
    first = graph(*arguments, "--request-id", "r1", "--json").json()
    assert first["receipt"]["request_id"] == "r1"
    after = stored(home)
    again = graph(*arguments, "--request-id", "r1", "--json").json()
    assert (first["data"]["replayed"], again["data"]["replayed"]) == (False, True)
    assert again["receipt"] == first["receipt"]
    assert "Done before" in graph(*arguments, "--request-id", "r1").stdout
    assert code(graph(*other, "--request-id", "r1", "--json", status=4)) == "request_id_reused"
    assert stored(home) == after


# --- upsert ---------------------------------------------------------------------------------------------


def test_a_new_fact_is_told_and_given_as_json(graph: Callable[..., Ran], three: Path) -> None:
    done = graph(
        *("upsert", "The", "keel", "is lead.", "--category", "stack", "--categories", "a, b", "--tag", "x"),
        *("--link", f"{A}:supersedes", "--link", B, "--classification", "workspace", "--json"),
    )
    assert sorted(done.data) == JSON_KEYS["upsert"]
    memory = done.data["memory"]
    expected = {"text": "The keel is lead.", "scope": "project", "status": "saved", "category": "stack"}
    assert {name: memory[name] for name in expected} == expected
    assert (memory["categories"], memory["tags"]) == (["a", "b"], ["x"])
    assert [(one["id"], one["kind"], one["direction"]) for one in memory["links"]] == [
        (A, "supersedes", "out"),
        (B, "related", "both"),
    ]
    assert done.data["notice"] == 'Memory saved · project · "The keel is lead."'
    assert graph("upsert", "The sail is red.").stdout == 'Memory saved · project · "The sail is red."\n'


def test_a_fact_that_is_changed_and_moved_keeps_its_id_and_its_links(
    graph: Callable[..., Ran], three: Path
) -> None:
    graph("link", A, B, "--kind", "supports")
    graph("link", C, A, "--kind", "supersedes")
    done = graph("upsert", "--id", A, "The mast is ash.", "--scope", "user", "--json").data["memory"]
    assert (done["id"], done["text"], done["scope"]) == (A, "The mast is ash.", "user")
    assert edges(graph) == [(A, "supports", B), (C, "supersedes", A)]


def test_a_fact_that_is_known_is_linked_where_it_is(graph: Callable[..., Ran], three: Path) -> None:
    done = graph("upsert", "the MAST is oak.", "--link", f"{B}:supports", "--json").data
    assert (done["memory"]["id"], done["duplicate_of"]) == (A, A)
    assert edges(graph) == [(A, "supports", B)]
    again = graph("upsert", "The mast is oak.")
    assert again.stdout == 'Already remembered · project · "The mast is oak."\n'
    assert A in again.stderr


@pytest.mark.parametrize("arguments", [("-",), ("--id", A, "-")], ids=str)
def test_the_text_of_a_fact_may_come_through_a_pipe(
    graph: Callable[..., Ran], three: Path, arguments: tuple[str, ...]
) -> None:
    done = graph("upsert", *arguments, "--json", stdin="The keel is lead.\n")
    assert done.data["memory"]["text"] == "The keel is lead."


@pytest.mark.parametrize("field", ["text", "tag", "category"])
def test_a_credential_is_refused_redacted_or_kept_on_purpose(
    graph: Callable[..., Ran], home: Path, three: Path, field: str
) -> None:
    key = SECRET.rpartition(" ")[2]
    given = ("upsert", SECRET) if field == "text" else ("upsert", "New.", f"--{field}", key)
    before = stored(home)
    refused = graph(*given, "--link", A, "--json", status=5)
    assert code(refused) == "secret_detected"
    assert key not in refused.stdout + graph(*given, status=5).stderr
    assert stored(home) == before
    made = graph(*given, "--link", A, "--redact", "--json")
    assert key not in made.stdout
    assert made.data["memory"]["links"][0]["id"] == A
    assert all(key not in str(content) for content in stored(home).values())
    if field == "text":
        kept = graph("upsert", "--id", A, SECRET, "--allow-secret", "--json").data["memory"]
        assert kept["text"] == SECRET


def test_a_credential_in_a_changed_fact_is_refused(
    graph: Callable[..., Ran], home: Path, three: Path
) -> None:
    before = stored(home)
    assert code(graph("upsert", "--id", A, SECRET, "--json", status=5)) == "secret_detected"
    assert stored(home) == before


# --- what cannot be read ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments", [("overview",), ("search", "mast"), ("validate",), ("export",)], ids=str
)
def test_a_file_that_cannot_be_read_is_named(
    graph: Callable[..., Ran], three: Path, arguments: tuple[str, ...]
) -> None:
    (three / f"{D}.md").write_bytes(b"\xff")
    (warning,) = graph(*arguments, "--json").json()["warnings"]
    assert warning["details"]["file"].endswith(f"{D}.md")
    if arguments != ("export",):
        assert D in graph(*arguments).stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("search", "mast"),
        pytest.param(("overview",)),
        pytest.param(("validate",)),
        pytest.param(("export",)),
    ],
    ids=str,
)
def test_o18_links_and_pipes_are_ignored_with_a_warning(
    graph: Callable[..., Ran], three: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    outside = put(tmp_path, D, "The mast outside is QUIETFOX.")
    (three / f"{D}.md").symlink_to(outside)
    os.mkfifo(three / f"{IDS[5]}.md")
    done = graph(*arguments, "--json")
    assert "QUIETFOX" not in done.stdout
    assert [one["code"] for one in done.json()["warnings"]] == ["unsafe_file"] * 2


# --- validate -------------------------------------------------------------------------------------------


def test_links_that_are_as_they_should_be(graph: Callable[..., Ran], three: Path) -> None:
    graph("link", A, B)
    done = graph("validate")
    assert (done.stdout, done.stderr) == ("", "1 link of 3 memories: all as they should be.\n")
    found = graph("validate", "--json").json()
    assert (found["status"], sorted(found["data"])) == ("ok", JSON_KEYS["validate"])
    assert (found["data"]["errors"], found["data"]["warnings"], found["data"]["problems"]) == (0, 0, [])


def test_errors_of_links_are_findings(graph: Callable[..., Ran], three: Path) -> None:
    add_line(three, A, f"link-{D}: related")
    add_line(three, B, f"link-{C}: supersedes")
    add_line(three, C, f"link-{B}: supersedes")
    done = graph("validate", status=1)
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert {len(row) for row in rows} == {5}
    assert {tuple(row[:4]) for row in rows} >= {("error", "dangling", A, D), ("error", "doubled", B, C)}
    assert "Error" not in done.stderr
    document = graph("validate", "--json", status=1).json()
    assert (document["status"], document["exit_code"]) == ("partial", 1)
    assert [one["code"] for one in document["errors"]] == ["findings"]
    found = document["data"]
    assert len(found["problems"]) == found["errors"] + found["warnings"] == len(rows)
    assert sorted(found["problems"][0]) == ["code", "id", "message", "other", "severity"]
    assert done.stderr.endswith(f"{found['errors']} errors, 0 warnings.\n")
    graph("unlink", A, D)
    assert "dangling" not in graph("validate", status=1).stdout


def test_warnings_of_links_are_no_findings(graph: Callable[..., Ran], three: Path) -> None:
    graph("link", A, B)
    place = three / f"{B}.md"
    place.write_text(place.read_text().replace("status: saved", "status: archived"))
    assert graph("validate").stdout.startswith(f"warning\tnot_saved\t{A}\t{B}\t")
    found = graph("validate", "--json").json()
    assert (found["status"], found["data"]["warnings"], found["errors"]) == ("ok", 1, [])


# --- export ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["dot", "mermaid", "json"])
def test_an_export_is_all_that_is_printed(graph: Callable[..., Ran], three: Path, form: str) -> None:
    graph("link", A, B, "--kind", "conflicts")
    (three / f"{D}.md").write_bytes(b"\xff")
    done = graph("export", "--format", form)
    assert done.stderr == ""
    assert done.stdout.endswith("}\n" if form != "mermaid" else "\n")
    assert f"{A}" in done.stdout
    as_json = graph("export", "--format", form, "--json").json()
    assert [one["code"] for one in as_json["warnings"]] == ["not_utf8"]
    if form == "json":
        assert json.loads(done.stdout) == as_json["data"] == graph("overview", "--json").data
    else:
        assert as_json["data"] == {"format": form, "text": done.stdout, "omitted": 0}
    if form == "dot":
        assert graph("export").stdout == done.stdout


@pytest.mark.parametrize(("form", "start"), [("dot", "digraph"), ("mermaid", "flowchart"), ("json", "{")])
def test_an_export_of_nothing_is_a_graph_without_nodes(
    graph: Callable[..., Ran], form: str, start: str
) -> None:
    done = graph("export", "--format", form)
    assert done.stdout.startswith(start)
    assert done.stderr == ""


def test_an_export_says_what_it_leaves_out(graph: Callable[..., Ran], three: Path) -> None:
    for form, comment in (("dot", "//"), ("mermaid", "%%")):
        assert f"{comment} not shown: 2" in graph("export", "--format", form, "--limit", "1").stdout
        found = graph("export", "--format", form, "--limit", "1", "--json").data
        assert found["omitted"] == 2


def test_an_export_is_the_same_at_a_terminal(three: Path) -> None:
    put(three, D, f"{MARKUP} \u202eturned")
    for form in ("dot", "mermaid"):
        piped = console("memory", "graph", "export", "--format", form)
        assert (
            at_terminal(["memory", "graph", "export", "--format", form], size=(24, 40)).screen == piped.stdout
        )
        assert not {"\x1b", "\u202e"} & set(piped.stdout)


@pytest.mark.parametrize(
    "arguments", [("export",), ("export", "--format", "json"), ("export", "--json"), ("overview",)], ids=str
)
def test_o36_a_reader_that_goes_away_is_no_failure(home: Path, arguments: tuple[str, ...]) -> None:
    for number in range(200):
        put(shelf_of(home), f"{number:016x}", f"Note {number}. {'x' * 190}")
    reader, writer = os.pipe()
    os.close(reader)
    done = console("memory", "graph", *arguments, stdout=writer)
    os.close(writer)
    assert done.exit_code in (0, 141)
    assert "Traceback" not in done.stderr
    assert not list(home.rglob("reports/*"))


# --- exact text -----------------------------------------------------------------------------------------


def test_o36_text_in_a_pipe_is_exact(graph: Callable[..., Ran], three: Path) -> None:
    place = three / f"{D}.md"
    place.write_text(PLAIN.format(f"{MARKUP} QUOLL\nsecond\tline"))
    assert f"\t{MARKUP} QUOLL\n" in graph("overview").stdout
    graph("link", A, D)
    first, second = graph("search", "mast").stdout.splitlines()
    assert first.endswith("\tThe mast is oak.")
    assert second.startswith(f"{A}\tproject\trelated\tboth\t{D}\t{MARKUP[:40]}")
    for line in (first, second, *graph("overview").stdout.splitlines()):
        assert line.count("\t") == 5
    short = MARKUP[:30]
    assert short in graph("link", A, D).stdout
    assert short in graph("link", short, A, status=2).stderr


def test_o36_markup_is_text_at_a_terminal(three: Path) -> None:
    put(three, D, f"{MARKUP} QUOLL")
    for arguments in (("overview",), ("search", "QUOLL")):
        shown = at_terminal(["memory", "graph", *arguments], env={"NO_COLOR": "1"}, size=(24, 240))
        assert shown.exit_code == 0
        for piece in ("[/etc/hosts]", "[/red]", "arr[bold]", ":warning:"):
            assert piece in shown.screen


@pytest.mark.parametrize("columns", [80, 100])
def test_no_id_is_cut_at_a_usual_terminal(three: Path, columns: int) -> None:
    add_line(three, A, f"link-{B}: supersedes")
    add_line(three, A, f"link-{D}: supports")
    for arguments in (("overview",), ("search", "mast"), ("validate",)):
        shown = at_terminal(["memory", "graph", *arguments], env={"NO_COLOR": "1"}, size=(24, columns))
        assert A in shown.screen, arguments
