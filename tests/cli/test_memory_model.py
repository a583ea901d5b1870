"""`wuu memory model`: one JSON object in, one envelope out, with the answers of the command line."""

import json
import os
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from cases.test_credentials import GITHUB
from cases.trees import tree
from house.invocation import Invoke, Ran
from wuu import clock
from wuu.memory.model.values import MOST_BYTES

AGENT = {"CLAUDECODE": "1"}
Ask = Callable[..., Ran]

READING: dict[str, tuple[dict[str, Any], str]] = {
    "status": ({"action": "status"}, "status"),
    "categories": ({"action": "categories"}, "categories"),
    "list": ({"action": "list"}, "list"),
    "a limit": ({"action": "list", "limit": 1}, "list --limit 1"),
    "global": ({"action": "list", "scope": "global"}, "list --scope user"),
    "user": ({"action": "list", "scope": "user"}, "list --scope user"),
    "text": ({"action": "list", "text": "MAST"}, "list --text MAST"),
    "category": ({"action": "list", "category": "stack"}, "list --category stack"),
    "tag": ({"action": "list", "tag": "wood", "scope": "project"}, "list --tag wood --scope project"),
    "status saved": ({"action": "list", "status": "saved"}, "list --status saved"),
    "pinned": ({"action": "list", "pinned": True}, "list --pinned"),
    "not pinned": ({"action": "list", "pinned": False}, "list --not-pinned"),
    "proposer": ({"action": "list", "proposer": "agent"}, "list --proposer agent"),
    "ages": ({"action": "list", "older_than": 0, "newer_than": 3}, "list --older-than 0 --newer-than 3"),
    "old ones": ({"action": "list", "older_than": 3}, "list --older-than 3"),
    "sessions": ({"action": "list", "session": "all"}, "list --session all"),
    "search": ({"action": "search", "query": "oak or beech"}, "search oak or beech"),
    "search less": (
        {"action": "search", "query": "is", "limit": 1, "scope": "global"},
        "search is --limit 1 --scope user",
    ),
    "search what waits": (
        {"action": "search", "query": "keel", "status": "pending"},
        "search keel --status pending",
    ),
    "context": ({"action": "context", "prompt": "oak mast"}, "context 'oak mast'"),
    "context of all": ({"action": "context"}, "context"),
    "context less": (
        {"action": "context", "prompt": "oak", "mode": "after-compaction", "budget": 300},
        "context oak --mode after-compaction --budget 300",
    ),
}
"""Requests that only read, and the command that answers the same."""

CHANGING: dict[str, tuple[dict[str, Any], str]] = {
    "add": ({"action": "add", "text": "The sail is red."}, "add 'The sail is red.'"),
    "add everything": (
        {
            "action": "add",
            "text": "The sail is red.",
            "scope": "global",
            "category": "stack",
            "categories": ["workflow"],
            "tags": ["wood", "rope"],
            "pinned": True,
            "evidence": [{"kind": "source", "ref": "ticket:41"}],
            "sensitivity": "high",
            "verified": "today",
        },
        (
            "add 'The sail is red.' --user --category stack --categories workflow --tag wood --tag rope "
            "--pin --source ticket:41 --sensitivity high --verified today"
        ),
    ),
    "propose": ({"action": "propose", "text": "The sail is red."}, "propose 'The sail is red.'"),
    "update": (
        {
            "action": "update",
            "id": "{saved}",
            "text": "The mast is pine.",
            "category": "other",
            "categories": ["stack"],
            "tags": ["rope"],
            "sensitivity": "medium",
            "verified": "2026-05-01",
            "scope": "global",
        },
        (
            "edit {saved} --text 'The mast is pine.' --category other --categories stack --tag rope "
            "--sensitivity medium --verified 2026-05-01 --scope user"
        ),
    ),
    "update tags": (
        {"action": "update", "id": "{saved}", "add_tags": ["rope"], "remove_tags": ["wood"]},
        "edit {saved} --add-tag rope --remove-tag wood",
    ),
    "update pin": ({"action": "update", "id": "{saved}", "pinned": True}, "edit {saved} --pin"),
    "delete": ({"action": "delete", "id": "{saved}"}, "delete {saved} --yes"),
    "delete what waits": ({"action": "delete", "id": "{pending}"}, "delete {pending} --yes"),
}
"""Requests that change something, and the command that does the same."""


LINKING: dict[str, tuple[dict[str, Any], str]] = {
    "overview": ({"action": "overview"}, "graph overview"),
    "search": ({"action": "search", "query": "oak"}, "graph search oak"),
    "validate": ({"action": "validate"}, "graph validate"),
    "link": ({"action": "link", "from": "{saved}", "to": "{mine}"}, "graph link {saved} {mine}"),
    "link by a kind": (
        {"action": "link", "from": "{saved}", "to": "{mine}", "kind": "supports"},
        "graph link {saved} {mine} --kind supports",
    ),
    "a new fact": ({"action": "upsert_fact", "text": "The sail is red."}, "graph upsert 'The sail is red.'"),
    "a fact": (
        {"action": "upsert_fact", "id": "{saved}", "text": "The mast is pine.", "links": [{"id": "{mine}"}]},
        "graph upsert --id {saved} 'The mast is pine.' --link {mine}",
    ),
}
"""Requests to the other tool, and the command that does the same."""


@pytest.fixture
def ask(invoke: Invoke) -> Ask:
    """Return what sends a request, which needs no --json."""

    def run(request: Any, *arguments: str, **others: Any) -> Ran:
        stdin = request if isinstance(request, bytes) else json.dumps(request)
        return invoke("memory", "model", *arguments, stdin=stdin, **others)

    return run


@pytest.fixture
def ids(invoke: Invoke) -> dict[str, str]:
    """Return the ids of a saved memory, one of the person, and one that waits."""
    made = {
        "saved": ("add", "The mast is oak.", "--category", "stack", "--tag", "wood"),
        "mine": ("add", "--user", "The oar is beech."),
        "pending": ("propose", "The keel is iron.", "--as", "agent"),
    }
    ran = {name: invoke("memory", *arguments, "--json") for name, arguments in made.items()}
    return {name: one.data["memory"]["id"] for name, one in ran.items()}


def home() -> Path:
    return Path(os.environ["WUU_HOME"])


def entries() -> dict[str, bytes | str]:
    return {path: data for path, data in tree(home()).items() if "entries" in path.split("/")}


def filled(value: Any, ids: dict[str, str]) -> Any:
    """Return a request, or a command line, with ids in their places."""
    if isinstance(value, str):
        return value.format_map(ids)
    if isinstance(value, dict):
        return {name: filled(one, ids) for name, one in value.items()}
    return [filled(one, ids) for one in value] if isinstance(value, list | tuple) else value


def codes(ran: Ran) -> list[str]:
    return [one["code"] for one in ran.json()["errors"]]


# --- The same answers as the command line ---------------------------------------------------------------


@pytest.mark.parametrize("name", READING)
@pytest.mark.parametrize("who", [{}, AGENT], ids=["person", "agent"])
def test_a_reading_action_answers_as_the_command_of_its_name(
    invoke: Invoke, ask: Ask, ids: dict[str, str], name: str, who: dict[str, str]
) -> None:
    request, command = READING[name]
    expected = invoke("memory", *shlex.split(command), "--json", env=who)
    before = entries()
    ran = ask(request, env=who)
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert ran.data == expected.data
    assert ran.json()["warnings"] == expected.json()["warnings"]
    assert ran.json()["command"] == ["memory", "model"]
    assert entries() == before


@pytest.mark.parametrize("name", CHANGING)
@pytest.mark.parametrize("who", [{}, AGENT], ids=["person", "agent"])
def test_a_changing_action_would_do_what_the_command_of_its_name_would(
    invoke: Invoke, ask: Ask, ids: dict[str, str], name: str, who: dict[str, str]
) -> None:
    request, command = filled(CHANGING[name], ids)
    expected = invoke("memory", *shlex.split(command), "--json", "--dry-run", env=who)
    before = entries()
    ran = ask(request, "--dry-run", env=who)
    assert ran.exit_code == expected.exit_code
    assert _comparable(ran) == _comparable(expected)
    assert codes(ran) == codes(expected)
    assert entries() == before


def _comparable(ran: Ran) -> Any:
    """Return the data without what differs from one call to the next: new ids, times, and what shows them."""
    data = {name: one for name, one in ran.data.items() if name not in ("diff", "results")}
    if memory := data.get("memory"):
        data["memory"] = {
            name: one
            for name, one in memory.items()
            if name not in ("id", "path") and not (name.endswith("_at") and name != "verified_at")
        }
    return data, [one["outcome"] for one in ran.data.get("results", [])]


@pytest.mark.parametrize("name", LINKING)
@pytest.mark.parametrize("who", [{}, AGENT], ids=["person", "agent"])
def test_an_action_of_the_graph_answers_as_the_command_of_its_name(
    invoke: Invoke, ask: Ask, ids: dict[str, str], name: str, who: dict[str, str]
) -> None:
    request, command = filled(LINKING[name], ids)
    more = ("--dry-run",) if request["action"] in ("link", "upsert_fact") else ()
    expected = invoke("memory", *shlex.split(command), *more, "--json", env=who)
    before = entries()
    ran = ask({"tool": "memory_graph", **request}, *more, env=who)
    assert ran.exit_code == expected.exit_code
    assert _comparable(ran) == _comparable(expected)
    assert codes(ran) == codes(expected)
    assert entries() == before


def test_what_a_person_wants_is_done(ask: Ask, ids: dict[str, str]) -> None:
    ran = ask(
        {"action": "add", "text": "The sail is red.", "scope": "global", "confidence": 0.9, "tags": ["cloth"]}
    )
    memory = ran.data["memory"]
    assert (memory["scope"], memory["status"], memory["confidence"]) == ("user", "saved", 0.9)
    assert ran.data["notice"] == 'Memory saved · user · "The sail is red."'
    changed = ask(
        {"action": "update", "id": memory["id"], "verified": "today", "revision": memory["revision"]}
    )
    assert changed.data["memory"]["verified_at"] == clock.today()
    stale = ask({"action": "delete", "id": memory["id"], "revision": memory["revision"]})
    assert (stale.exit_code, codes(stale)) == (4, ["stale_revision"])
    gone = ask({"action": "delete", "id": memory["id"][:8]})
    assert (gone.exit_code, gone.data["memory"]) == (0, None)
    assert not [path for path in entries() if memory["id"] in path]


def test_a_shortened_id_that_is_ambiguous_or_gone_is_refused(ask: Ask, ids: dict[str, str]) -> None:
    assert codes(ask({"action": "update", "id": "0" * 16, "text": "x"})) == ["not_found"]
    assert codes(ask({"action": "delete", "id": "oak"})) == ["usage"]


# --- The same rules for an agent ------------------------------------------------------------------------


def test_o25_what_an_agent_wants_waits_and_saved_memories_stay(ask: Ask, ids: dict[str, str]) -> None:
    before = entries()
    for request in (
        {"action": "add", "text": "The sail is red."},
        {"action": "propose", "text": "The flag is blue.", "scope": "global"},
        {"action": "update", "id": ids["saved"], "text": "The mast is pine."},
        {"action": "update", "id": ids["saved"], "scope": "global"},
        {"action": "delete", "id": ids["saved"]},
    ):
        ran = ask(request, env=AGENT)
        assert ran.exit_code == 0, ran.stdout
        assert ran.data["memory"]["status"] == "pending"
        assert ran.data["memory"]["proposer"] == "agent"
        assert "Waits for approval" in ran.data["notice"]
    assert {path: data for path, data in entries().items() if path in before} == before


def test_o25_what_only_a_person_may_is_refused_to_an_agent(ask: Ask, ids: dict[str, str]) -> None:
    before = entries()
    for request in (
        {"action": "add", "text": "The sail is red.", "pinned": True},
        {"action": "add", "text": "The sail is red.", "scope": "session"},
        {"action": "update", "id": ids["saved"], "pinned": True},
    ):
        ran = ask(request, "--session", "s1", env=AGENT)
        assert (ran.exit_code, codes(ran)) == (5, ["approval_required"]), request
    assert entries() == before


def test_an_agent_removes_its_own_proposal_and_is_not_asked(ask: Ask, ids: dict[str, str]) -> None:
    ran = ask({"action": "delete", "id": ids["pending"]}, env=AGENT)
    assert (ran.exit_code, ran.data["results"][0]["outcome"]) == (0, "removed")
    assert not [path for path in entries() if ids["pending"] in path]


def test_a_message_that_nobody_is_known_to_have_typed_allows_nothing(ask: Ask) -> None:
    request = {"action": "add", "text": "The sail is red.", "message": "Remember that the sail is red."}
    ran = ask(request, "--session", "s1", env=AGENT)
    assert ran.data["memory"]["status"] == "pending"


def test_o29_a_credential_is_redacted_for_an_agent_and_refused_to_a_person(ask: Ask) -> None:
    request = {"action": "add", "text": f"The key is {GITHUB}."}
    refused = ask(request)
    assert (refused.exit_code, codes(refused)) == (5, ["secret_detected"])
    waits = ask(request, env=AGENT)
    assert waits.data["memory"]["redactions"]
    unknown = ask({"action": "add", "text": "x", "scope": GITHUB})
    assert codes(unknown) == ["usage"]
    assert GITHUB not in refused.stdout + waits.stdout + unknown.stdout
    assert not [path for path, data in tree(home()).items() if GITHUB.encode() in bytes(data)]


# --- One envelope, whatever comes -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_", "parameter"),
    [
        ({"action": "forget"}, "action"),
        ({"action": "add"}, "text"),
        ({"action": "add", "text": "x", "txt": "y"}, "txt"),
        ({"action": "add", "text": "x", "pinned": "yes"}, "pinned"),
        ({"action": "add", "text": "x", "evidence": [{"kind": "source"}]}, "evidence"),
        ({"tool": "remember", "action": "add", "text": "x"}, "tool"),
    ],
)
def test_what_is_not_understood_is_refused_by_name_and_nothing_is_done(
    ask: Ask, request_: dict[str, Any], parameter: str
) -> None:
    ran = ask(request_)
    assert (ran.exit_code, codes(ran), ran.stderr) == (2, ["usage"], "")
    assert ran.json()["errors"][0]["details"]["parameter"] == parameter
    assert not home().exists()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b'{"action": "add", "text": "a"}{"action": "add", "text": "b"}',
        b'"\xff"',
        b" " * (MOST_BYTES + 1),
    ],
    ids=["nothing", "no JSON", "two", "no UTF-8", "too large"],
)
def test_what_is_not_one_request_is_refused_and_nothing_is_done(ask: Ask, data: bytes) -> None:
    ran = ask(data)
    assert (ran.exit_code, codes(ran), ran.stderr) == (2, ["usage"], "")
    assert not home().exists()


def test_o35_every_answer_is_one_envelope_without_json_being_typed(ask: Ask, invoke: Invoke) -> None:
    for ran in (
        ask({"action": "list"}),
        ask({"action": "list"}, "--quiet"),
        ask({"action": "delete", "id": "f"}),
        ask(b"", "--read-only"),
        invoke("memory", "model", "--bogus"),
        invoke("memory", "model", "{}", "{}"),
        invoke("memory", "model", '{"action": "list"}'),
        invoke("memory", "model", "-", stdin='{"action": "list"}', env={"WUU_SESSION": "a/b"}),
    ):
        document = ran.json()
        assert set(document) == {
            *("command", "data", "errors", "exit_code", "receipt", "schema", "status", "warnings"),
        }
        assert (document["exit_code"], document["schema"]) == (ran.exit_code, "wuu.result/1")
        assert ran.stderr == ""


def test_a_request_may_be_an_argument_of_any_bytes(invoke: Invoke) -> None:
    ran = invoke("memory", "model", '{"action": "add", "text": "The sail is red."}')
    assert ran.data["memory"]["text"] == "The sail is red."
    broken = invoke("memory", "model", b'{"action": "\xff"}'.decode("utf-8", "surrogateescape"))
    assert (broken.exit_code, codes(broken)) == (2, ["usage"])


# --- Request ids, dry runs, read-only -------------------------------------------------------------------


@pytest.mark.parametrize("flag", [True, False], ids=["flag", "parameter"])
def test_a_request_id_makes_a_repetition_harmless(ask: Ask, flag: bool) -> None:
    request = {"action": "add", "text": "The sail is red."}
    more = ("--request-id", "r1") if flag else ()
    first, again = (ask(request if flag else {**request, "request_id": "r1"}, *more) for _ in range(2))
    assert (first.data["replayed"], again.data["replayed"]) == (False, True)
    assert first.data["memory"]["id"] == again.data["memory"]["id"]
    other = ask({"action": "add", "text": "The flag is blue.", "request_id": "r1"})
    assert (other.exit_code, codes(other)) == (4, ["request_id_reused"])


def test_two_request_ids_that_differ_are_refused(ask: Ask) -> None:
    ran = ask({"action": "add", "text": "x", "request_id": "r1"}, "--request-id", "r2")
    assert (ran.exit_code, codes(ran)) == (2, ["usage"])
    assert ask({"action": "add", "text": "x", "request_id": "r1"}, "--request-id", "r1").exit_code == 0


def test_a_dry_run_shows_the_change_and_writes_nothing(ask: Ask) -> None:
    ran = ask({"action": "add", "text": "The sail is red."}, "--dry-run")
    assert (ran.exit_code, ran.data["dry_run"]) == (0, True)
    assert "The sail is red." in ran.data["diff"]
    assert not home().exists()


@pytest.mark.parametrize(
    "how", [(("--read-only",), {}), ((), {"WUU_READ_ONLY": "1"})], ids=["flag", "variable"]
)
@pytest.mark.parametrize("who", [{}, AGENT], ids=["person", "agent"])
def test_read_only_mode_refuses_every_action_whole(
    ask: Ask, ids: dict[str, str], how: tuple[tuple[str, ...], dict[str, str]], who: dict[str, str]
) -> None:
    before = tree(home().parent)
    flags, variable = how
    requests: list[Any] = [
        request for request, _ in (*READING.values(), *filled(list(CHANGING.values()), ids))
    ]
    for request in (
        *requests,
        {"tool": "memory_graph", "action": "overview"},
        {"action": "forget"},
        b"",
        b"{",
    ):
        for more in ((), ("--dry-run",)):
            ran = ask(request, *flags, *more, env={**variable, **who})
            assert (ran.exit_code, codes(ran), ran.data) == (5, ["read_only_mode"], {}), request
    assert tree(home().parent) == before


# --- The schema -----------------------------------------------------------------------------------------


def test_the_schema_is_printed_as_it_is_registered_and_nothing_is_done(invoke: Invoke) -> None:
    ran = invoke("memory", "model", "--schema", "--read-only")
    assert (ran.exit_code, ran.stderr) == (0, "")
    schema = ran.json()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate({"action": "search", "query": "oak"}, schema)
    assert invoke("memory", "model", "--schema", "--json").data == schema
    assert invoke("memory", "model", "--schema", "{}").exit_code == 2
    assert not home().exists()
