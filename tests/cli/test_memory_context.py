"""`wuu memory context` and `why`: what they answer to people, to scripts and to agents, and why."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cases.memories import IDS, PLAIN, put, shelf_of, user_shelf, warned
from cases.processes import at_terminal, console
from house.invocation import Invoke, Ran
from wuu.memory.context import weights
from wuu.memory.context.block import parse_block
from wuu.memory.context.why_values import REASONS

PARTS = ["category", "links", "match", "recency", "session", "shown", "superseded"]
MAST, BELL = "The harbour mast is oak.", "Deploys go out on Tuesdays."
AGENT = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s1"}
OTHER_AGENT = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s2"}
MARKUP = "fix [/etc/hosts] and [/red] arr[bold] :warning: \u3164A\ufe0f"
PIECES = ("[/etc/hosts]", "[/red]", "arr[bold]", ":warning:")
REMOVED = "[memory line removed: security]"


@pytest.fixture
def home() -> Path:
    place = Path(os.environ["WUU_HOME"])
    place.mkdir(mode=0o700)
    return place


@pytest.fixture
def ask(invoke: Invoke) -> Callable[..., Ran]:
    def run(*arguments: str, status: int = 0, **others: Any) -> Ran:
        done = invoke("memory", "context", *arguments, **others)
        assert done.exit_code == status, done.stdout + done.stderr
        return done

    return run


@pytest.fixture
def why(invoke: Invoke) -> Callable[..., Ran]:
    def run(*arguments: str, status: int = 0, **others: Any) -> Ran:
        done = invoke("memory", "why", *arguments, **others)
        assert done.exit_code == status, done.stdout + done.stderr
        return done

    return run


@pytest.fixture
def add(invoke: Invoke) -> Callable[..., str]:
    def run(*arguments: str) -> str:
        done = invoke("memory", "add", *arguments, "--json")
        assert done.exit_code == 0, done.stdout
        return str(done.data["memory"]["id"])

    return run


def configure(**values: object) -> None:
    place = Path(os.environ["WUU_HOME"])
    place.mkdir(mode=0o700, exist_ok=True)
    (place / "settings.json").write_text(json.dumps(values))


def ids(done: Ran) -> list[str]:
    """Return the ids of the memories in a block that was printed."""
    return [item.id for item in parse_block(done.stdout.removesuffix("\n"))[0]]


def crowd(home: Path, count: int, text: str = "Note {}.") -> list[str]:
    """Put memories there by hand that are newer than every other one that a test puts there."""
    shelf = user_shelf(home)
    names = [f"{0xC000 + number:016x}" for number in range(count)]
    for number, name in enumerate(names):
        content = PLAIN.format(text.format(number)).replace("2026-05-01", "2026-06-01")
        (shelf / f"{name}.md").write_text(content)
    return names


# --- context: what is asked -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "stdin"),
    [
        (("harbour mast",), ""),
        (("harbour", "mast"), ""),
        (("-",), "harbour mast\n"),
        (("-",), "harbour\nmast"),
        (("--", "harbour", "--explain", "mast"), ""),
    ],
    ids=str,
)
def test_a_prompt_is_typed_or_piped(
    ask: Callable[..., Ran], add: Callable[..., str], words: tuple[str, ...], stdin: str
) -> None:
    mast, bell = add(MAST), add(BELL)
    done = ask(*words, stdin=stdin)
    assert ids(done) == [mast, bell]
    assert done.stderr == ""
    found = ask("--json", *words, stdin=stdin).data
    assert [(one["id"], one["group"]) for one in found["entries"]] == [(mast, "match"), (bell, "rest")]


@pytest.mark.parametrize(
    ("words", "stdin"), [((), ""), (("",), ""), ((" ", ""), ""), (("-",), ""), (("-",), "\n\n")], ids=str
)
def test_without_a_prompt_there_is_what_every_session_gets(
    ask: Callable[..., Ran], add: Callable[..., str], words: tuple[str, ...], stdin: str
) -> None:
    mast, pin = add(MAST), add(BELL, "--pin")
    found = ask(*words, "--json", stdin=stdin).data
    assert [(one["id"], one["group"]) for one in found["entries"]] == [(pin, "pinned"), (mast, "rest")]


def test_a_dash_among_other_words_is_a_word(ask: Callable[..., Ran], add: Callable[..., str]) -> None:
    add(BELL)
    mast = add(MAST)
    assert ids(ask("harbour", "-", "mast", stdin="Deploys"))[0] == mast


def test_a_prompt_through_a_pipe_that_is_no_text_is_refused(ask: Callable[..., Ran]) -> None:
    refused = ask("-", stdin=b"\xff\xfe", status=2)
    assert (refused.stdout, refused.stderr) == ("", "Error: stdin is not UTF-8 at byte 0.\n")


def test_a_prompt_through_a_pipe_has_a_limit(ask: Callable[..., Ran]) -> None:
    assert ask("-", "--json", stdin="x " * 200_000, status=5).json()["errors"][0]["code"] == "too_large"


@pytest.mark.parametrize(
    "words", [("mast \udcff",), ("\ud800", "mast"), ("mast\0",), ("\u202emast",)], ids=ascii
)
def test_a_prompt_may_hold_anything(
    invoke: Invoke, ask: Callable[..., Ran], add: Callable[..., str], words: tuple[str, ...]
) -> None:
    mast = add(MAST)
    assert ids(ask(*words)) == ids(ask(*words, "--budget", "5000")) == [mast]
    for arguments in (("context", "--explain"), ("why",), ("why", mast)):
        for as_json in ((), ("--json",)):
            done = invoke("memory", *arguments, *as_json, *words)
            assert (done.exit_code, mast in done.stdout) == (0, True)


def test_the_block_and_nothing_else_is_printed(ask: Callable[..., Ran], add: Callable[..., str]) -> None:
    add(MAST)
    done = ask("mast")
    assert (done.stdout, done.stderr) == (ask("mast", "--json").data["block"] + "\n", "")
    assert ask("mast", "--quiet").stdout == done.stdout


# --- context: modes and budgets -------------------------------------------------------------------------


def test_modes_have_caps_of_their_own(ask: Callable[..., Ran], add: Callable[..., str]) -> None:
    for number in range(3):
        add(f"The harbour mast {number} is oak.", "--user")
    configure(memoryGlobalCompactionMaxEntries=1, memoryMatchFloor=0)
    assert len(ids(ask("harbour"))) == len(ids(ask("harbour", "--mode", "request"))) == 3
    short = ask("harbour", "--mode", "after-compaction", "--json").data
    assert (short["mode"], len(short["entries"]), short["omitted"]["count"]) == ("after-compaction", 1, 2)


@pytest.mark.parametrize("budget", [0, 1, 100, 200, 260, 1_000_000])
def test_a_budget_holds_for_all_that_is_printed_but_the_line_break(
    ask: Callable[..., Ran], add: Callable[..., str], budget: int
) -> None:
    for number in range(4):
        add(f"The harbour mast {number} is oak.", "--user")
    configure(memoryMatchFloor=0)
    done = ask("harbour", "--budget", str(budget))
    assert len(done.stdout.removesuffix("\n")) <= budget
    if budget < 160:
        assert done.stdout == ""
        assert done.stderr == "None of 4 saved memories is shown: --explain tells why.\n"
    else:
        items, left_out = parse_block(done.stdout.removesuffix("\n"))
        assert left_out.total in (0, 4 - len(items))
    found = ask("harbour", "--budget", str(budget), "--json").data
    assert (found["budget"]["chars"], found["budget"]["used_chars"]) == (budget, len(found["block"]))
    assert found["omitted"]["count"] + len(found["entries"]) == 4
    assert set(found["omitted"]["ids"]).isdisjoint(one["id"] for one in found["entries"])


@pytest.mark.parametrize(
    "arguments",
    [
        ("--budget", "-1"),
        ("--budget", "1000001"),
        ("--budget", "many"),
        ("--budget", "1.5"),
        ("--budget", ""),
        ("--budget", "9" * 5_000),
        ("--mode", "sometimes"),
        ("--mode", ""),
        ("--no-such-option",),
    ],
    ids=lambda arguments: " ".join(arguments)[:30],
)
@pytest.mark.parametrize("command", ["context", "why"])
def test_what_cannot_be_asked_is_a_usage_error(
    invoke: Invoke, add: Callable[..., str], command: str, arguments: tuple[str, ...]
) -> None:
    for words in ((add(MAST), "mast"), ("mast",)):
        refused = invoke("memory", command, *words, *arguments)
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert refused.stderr.startswith("Error: ")
        as_json = invoke("memory", command, *words, *arguments, "--json").json()
        assert (as_json["exit_code"], as_json["errors"][0]["code"]) == (2, "usage")


@pytest.mark.parametrize("words", [("context", "mast"), ("context", "--explain"), ("why", "mast")], ids=str)
def test_settings_that_cannot_be_read_are_refused(
    invoke: Invoke, add: Callable[..., str], words: tuple[str, ...]
) -> None:
    add(MAST)
    Path(os.environ["WUU_HOME"], "settings.json").write_text('{"memoryEnabled": ')
    done = invoke("memory", *words, "--json")
    assert (done.exit_code, done.json()["errors"][0]["code"]) == (2, "settings_invalid")


@pytest.mark.parametrize("budget", [270, 300, 340, 379])
def test_o15_where_all_fit_all_are_there(ask: Callable[..., Ran], home: Path, budget: int) -> None:
    for memory_id, text in zip(IDS[:2], ("The mast is oak.", "The bell is bronze."), strict=True):
        put(shelf_of(home), memory_id, text)
    whole = ask("mast")
    assert len(whole.stdout) == 271
    assert ask("mast", "--budget", str(budget)).stdout == whole.stdout


def test_o15_a_larger_budget_holds_no_less(ask: Callable[..., Ran], home: Path) -> None:
    for number, memory_id in enumerate(IDS[:6]):
        put(shelf_of(home), memory_id, f"The mast {number} is oak.")
    shown = [len(ids(ask("mast", "--budget", str(budget)))) for budget in range(400, 1_200, 40)]
    assert shown == sorted(shown)


def test_o15_the_note_pushes_no_memory_out(ask: Callable[..., Ran], home: Path) -> None:
    for number, memory_id in enumerate(IDS[:2]):
        put(shelf_of(home), memory_id, f"The mast {number} is oak.")
    shown = [len(ids(ask("mast", "--budget", str(budget)))) for budget in (210, 260, 277, 300, 330)]
    assert shown == sorted(shown)


# --- context: notices and caveats -----------------------------------------------------------------------


def test_where_nothing_is_saved_it_is_said_how_to(ask: Callable[..., Ran]) -> None:
    done = ask("mast")
    assert parse_block(done.stdout.removesuffix("\n")) == ((), (0, 0))
    assert done.stderr == "No memory is saved here: wuu remember saves one.\n"
    assert ask("mast", "--quiet").stderr == ""
    assert not Path(os.environ["WUU_HOME"]).exists()


def test_memories_that_are_switched_off_are_said_to_be(
    ask: Callable[..., Ran], add: Callable[..., str]
) -> None:
    add(MAST, "--pin")
    configure(memoryEnabled=False)
    done = ask("mast")
    assert (done.stdout, done.stderr.count("\n")) == ("", 1)
    assert "memoryEnabled" in done.stderr
    as_json = ask("mast", "--json")
    assert (as_json.data["enabled"], as_json.data["block"], as_json.data["entries"]) == (False, "", [])
    assert warned(as_json) == ["memory_disabled"]
    explained = ask("mast", "--explain")
    assert explained.stdout == ""
    assert "memoryEnabled" in explained.stderr


def test_a_file_that_cannot_be_read_is_named_beside_the_block(
    ask: Callable[..., Ran], add: Callable[..., str], home: Path
) -> None:
    mast = add(MAST)
    (shelf_of(home) / f"{IDS[1]}.md").write_bytes(b"\xff")
    done = ask("mast")
    assert ids(done) == [mast]
    assert done.stderr.startswith("Warning: ")
    assert IDS[1] in done.stderr
    assert "Warning" not in done.stdout
    assert warned(ask("mast", "--json")) == ["not_utf8"]


# --- context: JSON and explanations ---------------------------------------------------------------------


def test_the_json_is_that_of_the_contract(ask: Callable[..., Ran], add: Callable[..., str]) -> None:
    mast, pin = add(MAST), add(BELL, "--user", "--pin", "--category", "preferences")
    document = ask("mast", "--json").json()
    assert (document["schema"], document["command"]) == ("wuu.result/1", ["memory", "context"])
    assert (document["receipt"], document["warnings"], document["errors"]) == (None, [], [])
    found = document["data"]
    assert sorted(found) == ["block", "budget", "enabled", "entries", "mode", "omitted", "use"]
    assert (found["mode"], found["enabled"], found["use"]) == ("request", True, False)
    assert sorted(found["omitted"]) == ["count", "ids", "matching"]
    assert sorted(found["budget"]) == ["chars", "groups", "tokens", "used_chars", "used_tokens"]
    assert found["budget"]["chars"] is None
    assert found["budget"]["used_tokens"] <= found["budget"]["tokens"]
    assert sorted(found["budget"]["groups"]) == ["match", "pinned", "rest"]
    assert [item.id for item in parse_block(found["block"])[0]] == [pin, mast]
    first, second = found["entries"]
    keys = ["category", "group", "id", "pinned", "scope", "score", "text", "why"]
    assert sorted(first) == sorted(second) == keys
    assert sorted(first["why"]) == sorted(second["why"]) == PARTS
    assert {name: first[name] for name in keys[:5]} == {
        "category": "preferences",
        "group": "pinned",
        "id": pin,
        "pinned": True,
        "scope": "user",
    }
    assert (second["text"], second["why"]["match"]) == (MAST, 1.0)
    assert second["score"] == pytest.approx(sum(second["why"].values()), abs=1e-5)


def test_explained_each_memory_is_a_row_with_the_parts_of_its_score(
    ask: Callable[..., Ran], add: Callable[..., str]
) -> None:
    shown = [add(f"The harbour mast {number} is oak.") for number in range(5)]
    configure(memoryMatchFloor=0)
    done = ask("harbour", "--explain")
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert {len(row) for row in rows} == {6}
    assert {row[0] for row in rows} == set(shown)
    assert [row[4] for row in rows] == ["in the block"] * 3 + ["entry_cap"] * 2
    for row in rows:
        parts = dict(part.split(" ") for part in row[3].split(", "))
        assert set(parts) <= set(PARTS)
        assert float(row[2]) == pytest.approx(sum(map(float, parts.values())), abs=0.004)
    assert [row[5] for row in rows][3:] == ["-", "-"]
    assert done.stderr.endswith("left out: 2, of them matching: 2.\n")
    found = ask("harbour", "--explain", "--json").data
    assert [row[0] for row in rows][:3] == [one["id"] for one in found["entries"]]
    reasons = found["omitted"]["reasons"]
    assert [one["id"] for one in reasons] == found["omitted"]["ids"] == [row[0] for row in rows][3:]
    assert sorted(reasons[0]) == ["group", "id", "instead", "reason", "score", "why"]
    assert (found["prompt"], found["weak"]) == ("harbour", [])


def test_the_json_names_at_most_two_hundred_of_those_left_out(ask: Callable[..., Ran], home: Path) -> None:
    for number in range(300):
        put(user_shelf(home), f"{number:016x}", f"Pin {number}.").write_text(
            PLAIN.format(f"Pin {number}.").replace("status: saved", "status: saved\npinned: true")
        )
    found = ask("--budget", "100", "--json").data
    assert (found["omitted"]["count"], len(found["omitted"]["ids"])) == (300, 200)


# --- context: who asks ----------------------------------------------------------------------------------


def _seen(home: Path) -> list[str]:
    return sorted(path.name for path in home.glob("state/shown/*"))


@pytest.mark.parametrize(
    ("arguments", "env"),
    [
        (("--session", "s1"), {}),
        ((), {"WUU_SESSION": "s1"}),
        ((), {**AGENT, "WUU_READ_ONLY": "1"}),
        (("--read-only",), AGENT),
        ((), {"CLAUDECODE": "1"}),
        (("--explain",), AGENT),
        (("--budget", "0"), AGENT),
    ],
    ids=str,
)
def test_only_an_agent_in_a_session_that_got_a_block_leaves_a_trace(
    ask: Callable[..., Ran], add: Callable[..., str], arguments: tuple[str, ...], env: dict[str, str]
) -> None:
    add(MAST)
    ask("mast", *arguments, env=env)
    assert _seen(Path(os.environ["WUU_HOME"])) == []


@pytest.mark.parametrize("as_json", [(), ("--json",)], ids=["text", "json"])
def test_what_an_agent_saw_in_a_session_is_kept(
    ask: Callable[..., Ran], why: Callable[..., Ran], add: Callable[..., str], as_json: tuple[str, ...]
) -> None:
    mast = add(MAST)
    add(BELL)
    configure(memoryRetrievalChars=120)
    ask("mast", *as_json, env=AGENT)
    assert _seen(Path(os.environ["WUU_HOME"])) == ["s1.json"]
    ask("mast", env=OTHER_AGENT)
    found = why(mast, "mast", "--json").data["sessions"]
    assert sorted(one["session"] for one in found) == ["s1", "s2"]
    assert all(sorted(one) == ["at", "session"] for one in found)
    assert why(mast, "mast").stdout.count("seen by\ts") == 2
    (entry,) = [one for one in ask("mast", "--session", "s1", "--json").data["entries"] if one["id"] == mast]
    assert entry["why"]["shown"] == weights.SHOWN


# --- context: exact text --------------------------------------------------------------------------------


@pytest.mark.parametrize("env", [{}, {"COLUMNS": "20"}, {"NO_COLOR": ""}, {"FORCE_COLOR": "1"}], ids=str)
def test_o36_in_a_pipe_the_text_is_exact(
    ask: Callable[..., Ran], why: Callable[..., Ran], home: Path, env: dict[str, str]
) -> None:
    text = f"{MARKUP} {'x' * 120} QUOLL"
    put(shelf_of(home), IDS[0], text)
    done = ask("quoll", env=env)
    (item,) = parse_block(done.stdout.removesuffix("\n"))[0]
    assert item.text == ask("quoll", "--json", env=env).data["entries"][0]["text"] == text
    assert f"] {text}\n" in done.stdout
    (row,) = ask("quoll", "--explain", env=env).stdout.splitlines()
    assert (row.count("\t"), row.endswith(f"\t{text}")) == (5, True)
    assert "\nprompt\tfix [/red] quoll\n" in why(IDS[0], "fix [/red] quoll", env=env).stdout


@pytest.mark.parametrize("unsafe", ["\u202eB", "\u200bB", "\x1b[31mC", "\x07", "\x85D"], ids=ascii)
def test_a_line_with_what_cannot_be_seen_is_taken_out_everywhere(
    ask: Callable[..., Ran], home: Path, unsafe: str
) -> None:
    put(shelf_of(home), IDS[0], f"First QUOLL.\nSecond {unsafe}.")
    (item,) = parse_block(ask("quoll").stdout.removesuffix("\n"))[0]
    assert item.text == f"First QUOLL.\n{REMOVED}"
    assert ask("quoll", "--explain").stdout.endswith(f"\tFirst QUOLL. {REMOVED}\n")
    assert ask("quoll", "--json").data["entries"][0]["text"] == item.text


@pytest.mark.parametrize("arguments", [("context", "quoll"), ("context", "quoll", "--explain")], ids=str)
def test_o36_a_terminal_gets_markup_as_text_and_nothing_unseen(
    home: Path, arguments: tuple[str, ...]
) -> None:
    put(shelf_of(home), IDS[0], f"{MARKUP} QUOLL")
    shown = at_terminal(["memory", *arguments], env={"NO_COLOR": "1"}, size=(24, 300))
    assert shown.exit_code == 0
    assert "\u3164" not in shown.screen
    for piece in (*PIECES, "QUOLL"):
        assert piece in shown.screen


def test_o36_a_prompt_with_controls_is_one_cell(why: Callable[..., Ran], add: Callable[..., str]) -> None:
    lines = why(add(MAST), "a\tb\nc\x1b[31m [/red]").stdout.splitlines()
    (cells,) = [line.split("\t") for line in lines if line.startswith("prompt")]
    assert len(cells) == 2
    assert "\x1b" not in cells[1]


def test_o36_no_id_is_cut_in_the_explanation_at_a_usual_terminal(home: Path) -> None:
    put(shelf_of(home), IDS[0], MAST)
    shown = at_terminal(["memory", "context", "mast", "--explain"], env={"NO_COLOR": "1"}, size=(24, 80))
    assert IDS[0] in shown.screen
    assert "oak" in shown.screen


def test_at_a_terminal_the_block_is_the_same_text(home: Path) -> None:
    put(shelf_of(home), IDS[0], MAST)
    piped = console("memory", "context", "mast")
    shown = at_terminal(["memory", "context", "mast"], size=(24, 40))
    assert (shown.exit_code, shown.screen) == (0, piped.stdout)
    mixed = at_terminal(["memory", "context", "mast"], stdout_is_pipe=True)
    assert (mixed.stdout, mixed.screen) == (piped.stdout, "")


def test_a_terminal_shows_the_explanation_as_a_table(home: Path) -> None:
    put(shelf_of(home), IDS[0], MAST)
    shown = at_terminal(["memory", "context", "mast", "--explain"], size=(24, 200))
    assert shown.exit_code == 0
    for column in ("ID", "GROUP", "SCORE", "TEXT", IDS[0], "in the block"):
        assert column in shown.screen
    assert "\t" not in shown.screen


# --- why: what is asked ---------------------------------------------------------------------------------


def test_why_of_a_memory_by_its_id_or_the_beginning_of_it(
    why: Callable[..., Ran], add: Callable[..., str]
) -> None:
    mast = add(MAST)
    add(BELL)
    for name in (mast, mast[:8]):
        found = why(name, "harbour", "mast", "--json").data
        assert sorted(found) == [
            *("group", "id", "instead", "prompt", "reason", "score", "sessions", "shown", "why"),
        ]
        assert (found["id"], found["prompt"], found["shown"]) == (mast, "harbour mast", True)
        assert (found["reason"], found["group"], found["instead"]) == ("shown", "match", [])
        assert sorted(found["why"]) == PARTS
    told = dict(line.split("\t") for line in why(mast, "mast").stdout.splitlines())
    assert (told["id"], told["prompt"], told["shown"], told["group"]) == (mast, "mast", "yes", "match")
    assert told["reason"] == f"shown: {REASONS['shown']}"
    assert float(told["match"]) == 1.0
    assert "superseded" not in told


def test_why_of_a_memory_without_a_prompt_tells_of_every_session(
    why: Callable[..., Ran], add: Callable[..., str]
) -> None:
    pin = add(MAST, "--pin")
    found = why(pin, "--json").data
    assert (found["prompt"], found["shown"], found["group"]) == ("", True, "pinned")
    assert "\nprompt\t-\n" in why(pin).stdout


def test_why_of_a_prompt_is_the_explained_context(
    why: Callable[..., Ran], ask: Callable[..., Ran], add: Callable[..., str]
) -> None:
    add(MAST)
    add(BELL)
    assert why("harbour", "mast").stdout == ask("harbour mast", "--explain").stdout
    assert why("harbour", "mast", "--json").data == ask("harbour mast", "--explain", "--json").data


@pytest.mark.parametrize("words", [("added",), ("bad", "face"), ("deadbeef",), ("c0ffee mast",), ("ff" * 9,)])
def test_a_prompt_that_looks_like_an_id_is_a_prompt_where_no_memory_has_it(
    why: Callable[..., Ran], home: Path, words: tuple[str, ...]
) -> None:
    put(shelf_of(home), "1" * 16, "The cafe opens at noon.")
    assert why(*words, "--json").data["prompt"] == " ".join(words)


def test_a_word_that_a_memory_has_as_the_beginning_of_its_id_is_an_id(
    why: Callable[..., Ran], home: Path
) -> None:
    put(shelf_of(home), "added00000000001", "The mast was added in May.")
    found = why("added", "mast", "--json").data
    assert (found["id"], found["prompt"]) == ("added00000000001", "mast")


@pytest.mark.parametrize("words", [("0" * 16,), ("0123456789abcdef", "mast")])
def test_a_whole_id_that_no_memory_has_is_not_found(
    why: Callable[..., Ran], add: Callable[..., str], words: tuple[str, ...]
) -> None:
    add(MAST)
    refused = why(*words, status=3)
    assert (refused.stdout, words[0] in refused.stderr) == ("", True)
    assert why(*words, "--json", status=3).json()["errors"][0]["code"] == "not_found"


def test_an_id_may_be_typed_in_capitals(why: Callable[..., Ran], home: Path) -> None:
    put(shelf_of(home), "abcdef0123456789", MAST)
    for name in ("ABCDEF0123456789", "ABCdef"):
        assert why(name, "mast", "--json").data["id"] == "abcdef0123456789"


def test_a_whole_id_in_capitals_that_no_memory_has_is_not_found(
    why: Callable[..., Ran], add: Callable[..., str]
) -> None:
    add(MAST)
    why("ABCDEF0123456789", "mast", status=3)


def test_the_prompt_of_why_may_be_piped_too(why: Callable[..., Ran], add: Callable[..., str]) -> None:
    mast = add(MAST)
    assert why(mast, "-", "--json", stdin="harbour mast\n").data["prompt"].strip() == "harbour mast"


def test_the_beginning_of_several_ids_is_a_word_of_the_prompt(why: Callable[..., Ran], home: Path) -> None:
    for name in IDS[:2]:
        put(shelf_of(home), name, f"The mast of {name}.")
    found = why("0000", "mast", "--json").data
    assert found["prompt"] == "0000 mast"
    assert {one["id"] for one in found["entries"]} == set(IDS[:2])


def test_an_id_on_two_shelves_is_ambiguous(why: Callable[..., Ran], home: Path) -> None:
    put(shelf_of(home), IDS[0], MAST)
    put(user_shelf(home), IDS[0], MAST)
    assert why(IDS[0], "mast", "--json", status=3).json()["errors"][0]["code"] == "ambiguous"


@pytest.mark.parametrize("words", [(), ("--json",)])
def test_why_without_anything_is_a_usage_error(why: Callable[..., Ran], words: tuple[str, ...]) -> None:
    why(*words, status=2)


def test_why_leaves_no_trace(why: Callable[..., Ran], add: Callable[..., str]) -> None:
    mast = add(MAST)
    why(mast, "mast", env=AGENT)
    why("mast", env=AGENT)
    assert _seen(Path(os.environ["WUU_HOME"])) == []


# --- why: every reason ----------------------------------------------------------------------------------


def _entry_cap(add: Callable[..., str], _: Path) -> tuple[str, str]:
    configure(memoryMatchFloor=0, memoryProjectMaxEntries=1)
    made = [add("The harbour mast is oak."), add("The harbour harbour crew eats at noon, far from the mast.")]
    return made[1], "harbour mast oak"


def _group_budget(add: Callable[..., str], _: Path) -> tuple[str, str]:
    add(MAST)
    return add("harbour mast " + "x" * 7_000), "harbour mast"


def _rest_share(add: Callable[..., str], _: Path) -> tuple[str, str]:
    add(BELL)
    return add("Something else. " + "x" * 2_000), "harbour mast"


def _overall_cap(add: Callable[..., str], _: Path) -> tuple[str, str]:
    add(MAST)
    configure(memoryMaxPromptTokens=120)
    return add("A pin. " + "p" * 900, "--pin"), "harbour mast"


def _no_match(_: Callable[..., str], home: Path) -> tuple[str, str]:
    put(user_shelf(home), IDS[0], BELL)
    crowd(home, 120)
    return IDS[0], "harbour mast"


def _weak_match(_: Callable[..., str], home: Path) -> tuple[str, str]:
    configure(memoryMatchFloor=0.9)
    put(user_shelf(home), IDS[0], "The harbour crew eats bread and soup every evening.")
    crowd(home, 120)
    return IDS[0], "harbour lantern windlass capstan note"


def _not_saved(add: Callable[..., str], home: Path) -> tuple[str, str]:
    place = put(shelf_of(home), IDS[0], MAST)
    place.write_text(place.read_text().replace("status: saved", "status: pending"))
    return IDS[0], "mast"


def _other_session(add: Callable[..., str], _: Path) -> tuple[str, str]:
    return add(MAST, "--session-scope", "--session", "s9"), "mast"


def _switched_off(add: Callable[..., str], _: Path) -> tuple[str, str]:
    mast = add(MAST)
    configure(memoryEnabled=False)
    return mast, "mast"


def _superseded(_: Callable[..., str], home: Path) -> tuple[str, str]:
    put(shelf_of(home), IDS[0], BELL)
    new = put(shelf_of(home), IDS[1], "Releases happen on Mondays.")
    new.write_text(new.read_text().replace("\n---\n", f"\nlink-{IDS[0]}: supersedes\n---\n", 1))
    return IDS[0], "harbour mast"


def _shown(add: Callable[..., str], _: Path) -> tuple[str, str]:
    return add(MAST), "mast"


SCENES = {
    "entry_cap": _entry_cap,
    "group_budget": _group_budget,
    "rest_share": _rest_share,
    "overall_cap": _overall_cap,
    "no_match": _no_match,
    "weak_match": _weak_match,
    "not_saved": _not_saved,
    "other_session": _other_session,
    "switched_off": _switched_off,
    "superseded": _superseded,
    "shown": _shown,
}
WITH_PARTS = {"entry_cap", "group_budget", "rest_share", "overall_cap", "weak_match", "shown"}


def test_every_reason_has_a_scene() -> None:
    assert set(SCENES) == set(REASONS)


@pytest.mark.parametrize("reason", SCENES)
def test_each_reason_is_told_in_words_and_as_json(
    why: Callable[..., Ran], ask: Callable[..., Ran], add: Callable[..., str], home: Path, reason: str
) -> None:
    memory_id, prompt = SCENES[reason](add, home)
    found = why(memory_id, prompt, "--json").data
    assert (found["reason"], found["shown"]) == (reason, reason == "shown")
    assert (found["why"] is None, found["score"] is None) == (reason not in WITH_PARTS,) * 2
    told = dict(line.split("\t", 1) for line in why(memory_id, prompt).stdout.splitlines())
    assert told["reason"] == f"{reason}: {REASONS[reason]}"
    assert told["shown"] == ("yes" if reason == "shown" else "no")
    block = ask(prompt, "--json").data
    assert (memory_id in block["block"]) is (reason == "shown")
    assert set(found["instead"]) <= {one["id"] for one in block["entries"]}
    assert (memory_id in block["omitted"]["ids"]) is (reason in WITH_PARTS - {"shown", "weak_match"})


def test_what_stands_in_its_place_is_named(
    why: Callable[..., Ran], add: Callable[..., str], home: Path
) -> None:
    memory_id, prompt = _entry_cap(add, home)
    (instead,) = why(memory_id, prompt, "--json").data["instead"]
    assert f"instead\t{instead}\n" in why(memory_id, prompt).stdout
    assert why(instead, prompt, "--json").data["shown"] is True


def test_a_weak_match_is_named_in_the_explanation(
    ask: Callable[..., Ran], add: Callable[..., str], home: Path
) -> None:
    memory_id, prompt = _weak_match(add, home)
    found = ask(prompt, "--explain", "--json").data
    assert memory_id in {one["id"] for one in found["weak"]}
    assert {one["reason"] for one in found["weak"]} == {"weak_match"}
    rows = [line.split("\t") for line in ask(prompt, "--explain").stdout.splitlines()]
    assert [row[4] for row in rows if row[0] == memory_id] == ["weak_match"]


def test_a_session_sees_its_own_and_why_says_so(why: Callable[..., Ran], add: Callable[..., str]) -> None:
    mine = add(MAST, "--session-scope", "--session", "s1")
    found = why(mine, "mast", "--session", "s1", "--json").data
    assert (found["shown"], found["why"]["session"]) == (True, weights.SESSION)
    assert why(mine, "mast", "--session", "s2", "--json").data["reason"] == "other_session"


def test_memories_of_another_profile_or_project_are_not_found(
    why: Callable[..., Ran], ask: Callable[..., Ran], add: Callable[..., str], tmp_path: Path
) -> None:
    night = add(MAST, "--user", "--profile", "night")
    (tmp_path / "other").mkdir()
    other = add(BELL, "--workspace", str(tmp_path / "other"))
    for memory_id in (night, other):
        assert why(memory_id, "mast", "--json", status=3).json()["errors"][0]["code"] == "not_found"
    assert ids(ask("mast deploys")) == []
    assert ids(ask("mast", "--profile", "night")) == [night]
    assert ids(ask("deploys", "--workspace", str(tmp_path / "other"))) == [other]
