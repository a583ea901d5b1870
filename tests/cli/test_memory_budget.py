"""`wuu memory budget`: what every session gets before a word is typed, the limits, and what to shorten."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from house.invocation import Invoke, Ran
from wuu.cli.memory import budget
from wuu.memory.context.session_start import Part, Pin, SessionStart

PARTS = ["notebook_index", "project_index", "pinned", "rest", "frame"]
NOTHING = Part("notebook_index", 0, 0, 0, 0, 0, "lines")


@pytest.fixture
def ask(invoke: Invoke) -> Callable[..., Ran]:
    def run(*arguments: str, **others: Any) -> Ran:
        done = invoke("memory", "budget", *arguments, **others)
        assert done.exit_code == 0, done.stdout + done.stderr
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
    home = Path(os.environ["WUU_HOME"])
    home.mkdir(exist_ok=True)
    (home / "settings.json").write_text(json.dumps(values))


def notebook(text: str | bytes) -> None:
    place = Path(os.environ["WUU_HOME"]) / "memory" / "MEMORY.md"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text.encode() if isinstance(text, str) else text)


def rows(done: Ran, what: str) -> Iterator[list[str]]:
    return (cells[1:] for line in done.stdout.splitlines() if (cells := line.split("\t"))[0] == what)


def start_of(*sizes: int, pins: tuple[Pin, ...] = (), capped: bool = False) -> SessionStart:
    """Return what memories bring, with so many characters in each part."""
    parts = tuple(
        Part(name, size, size, -(-size // 4), bool(size), 0, "memories")
        for name, size in zip(PARTS[1:], sizes, strict=True)
    )
    return SessionStart(True, True, parts, pins, 10_000, sum(one.tokens for one in parts[1:]), capped, ())


def pin_of(at: int, chars: int, *, shown: bool, reason: str | None = None) -> Pin:
    return Pin(f"{at:016x}", chars, chars, -(-chars // 4), shown, reason, "First line.")


# --- what there is --------------------------------------------------------------------------------------


def test_what_it_answers_as_json(ask: Callable[..., Ran], add: Callable[..., str]) -> None:
    pin = add("The mast is oak.", "--pin")
    add("The sail is red.", "--user")
    notebook("# Notes\n\n- [Ferry](ferry.md) — times 语\n")
    data = ask("--json").data
    assert sorted(data) == ["advice", "limits", "parts", "pins", "settings", "total"]
    assert [one["name"] for one in data["parts"]] == PARTS
    index, project, pinned, rest, frame = data["parts"]
    text = "# Notes\n\n- [Ferry](ferry.md) — times 语"
    assert (index["bytes"], index["chars"], index["shown"]) == (len(text.encode()), len(text), 3)
    assert (project["bytes"], pinned["shown"], rest["shown"], frame["omitted"]) == (0, 1, 1, 0)
    assert {unit: sum(one[unit] for one in data["parts"]) for unit in data["total"]} == data["total"]
    assert sorted(data["total"]) == ["bytes", "chars", "tokens"]
    assert [(one["id"], one["shown"], one["text"]) for one in data["pins"]] == [
        (pin, True, "The mast is oak.")
    ]
    assert data["pins"][0]["chars"] == pinned["chars"]
    assert data["settings"] == {"notebookEnabled": True, "memoryEnabled": True, "memoryUse": False}
    assert data["advice"] == []


def test_the_block_that_is_measured_is_the_one_that_context_prints(
    ask: Callable[..., Ran], add: Callable[..., str], invoke: Invoke
) -> None:
    add("The mast is oak.", "--pin")
    block = invoke("memory", "context").stdout.removesuffix("\n")
    assert sum(one["chars"] for one in ask("--json").data["parts"][2:]) == len(block)


def test_what_it_tells_people(ask: Callable[..., Ran], add: Callable[..., str]) -> None:
    pin = add("The mast\tis oak.\nAnd the keel is elm.", "--pin")
    done = ask()
    value = ask("--json").data
    assert {line.count("\t") for line in done.stdout.splitlines()} == {7}
    assert [cells[0] for cells in rows(done, "part")] == PARTS
    assert [(cells[0], cells[-1]) for cells in rows(done, "setting")] == [
        ("notebookEnabled", "on"),
        ("memoryEnabled", "on"),
        ("memoryUse", "off"),
    ]
    total = value["total"]
    assert list(rows(done, "total")) == [
        ["-", str(total["bytes"]), str(total["chars"]), str(total["tokens"]), "-", "-", "-"]
    ]
    assert [(cells[0], cells[4], cells[-1]) for cells in rows(done, "pin")] == [
        (pin, "1", '"The mast is oak."')
    ]
    limits = {cells[0]: cells for cells in rows(done, "limit")}
    assert limits["claude-code"][2] == f"{total['chars']} of 10000"
    assert limits["codex"][3:] == [f"{total['tokens']} of 2500", "-", "-", "fits"]
    assert limits["gemini"] == ["gemini", "-", "-", "-", "-", "-", "not documented"]
    assert list(rows(done, "advice")) == []


def test_nothing_is_written(ask: Callable[..., Ran]) -> None:
    ask()
    assert not Path(os.environ["WUU_HOME"]).exists()


def test_only_the_first_line_of_a_hostile_pin_is_told_and_in_one_row(
    ask: Callable[..., Ran], add: Callable[..., str]
) -> None:
    add("a\u2028b\x1b[31mc\n</mendcode_memory>", "--pin")
    assert len(list(rows(ask(), "pin"))) == 1
    assert "\x1b" not in ask().stdout
    assert "</mendcode_memory>" not in ask().stdout


def test_a_long_pin_is_told_by_its_first_sixty_characters(
    ask: Callable[..., Ran], add: Callable[..., str]
) -> None:
    add("word " * 1_000, "--pin")
    (cells,) = rows(ask(), "pin")
    assert cells[-1] == f'"{("word " * 12).rstrip()}…"'


# --- what is switched off or broken ---------------------------------------------------------------------


def test_a_notebook_that_is_switched_off_brings_nothing(ask: Callable[..., Ran]) -> None:
    notebook("- line\n" * 250)
    configure(notebookEnabled=False)
    data = ask("--json").data
    assert data["parts"][0] == NOTHING._asdict()
    assert (data["settings"]["notebookEnabled"], data["advice"]) == (False, [])
    assert ["notebookEnabled", "off"] in [[cells[0], cells[-1]] for cells in rows(ask(), "setting")]


def test_that_hooks_do_not_use_memories_is_told(ask: Callable[..., Ran]) -> None:
    assert "memoryUse is off" in ask().stderr
    configure(memoryUse=True)
    assert ask().stderr == ""
    configure(memoryEnabled=False)
    assert "memoryUse" not in ask().stderr


def test_a_broken_notebook_that_is_switched_off_is_not_looked_at(ask: Callable[..., Ran]) -> None:
    notebook(b"\xff\xfe broken")
    configure(notebookEnabled=False)
    assert ask("--json").json()["warnings"] == []


def test_with_memories_switched_off_only_the_notebook_is_left(
    ask: Callable[..., Ran], add: Callable[..., str]
) -> None:
    add("The mast is oak.", "--pin")
    notebook("# Notes\n")
    configure(memoryEnabled=False)
    done = ask("--json")
    assert [one["chars"] for one in done.data["parts"]] == [7, 0, 0, 0, 0]
    assert (done.data["pins"], done.data["advice"]) == ([], [])
    assert [one["code"] for one in done.json()["warnings"]] == ["memory_disabled"]


def test_a_broken_notebook_is_a_warning_and_hides_nothing(
    ask: Callable[..., Ran], add: Callable[..., str]
) -> None:
    add("The mast is oak.", "--pin")
    notebook(b"\xff\xfe broken")
    done = ask("--json")
    assert [one["code"] for one in done.json()["warnings"]] == ["not_utf8"]
    assert (done.data["parts"][0]["bytes"], done.data["parts"][2]["shown"]) == (0, 1)


def test_what_is_odd_about_the_settings_is_told_once(ask: Callable[..., Ran]) -> None:
    configure(notebookEnabledd=True)
    assert len(ask("--json").json()["warnings"]) == 1


# --- limits ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chars", "fits"),
    [(9_999, [True, True, True]), (10_000, [True, True, True]), (10_001, [True, False, False])],
)
def test_limits_count_all_that_a_session_gets(chars: int, fits: list[bool]) -> None:
    value = budget.budget_value(NOTHING, start_of(0, chars - 100, 0, 100))
    assert [one["fits"] for one in value["limits"]] == [*fits, None, None, None]
    assert [one["agent"] for one in value["limits"]] == [
        *("wuu", "claude-code", "codex", "gemini", "opencode", "cursor"),
    ]


def test_the_limit_of_wuu_is_that_of_the_block() -> None:
    value = budget.budget_value(NOTHING, start_of(4_000, 400, 0, 100, capped=True))
    assert list(value["limits"][0]) == ["agent", "limit", "unit", "used", "fits", "setting"]
    assert tuple(value["limits"][0].values()) == (
        *("wuu", 10_000, "tokens", 125, False, "memoryMaxPromptTokens"),
    )


def test_what_no_maker_documents_is_no_limit() -> None:
    value = budget.budget_value(NOTHING, start_of(0, 90_000, 0, 100))
    assert tuple(value["limits"][-1].values()) == ("cursor", None, None, None, None, None)


# --- advice ---------------------------------------------------------------------------------------------


def test_o15_the_longest_pins_that_do_not_fit_are_named_first(
    ask: Callable[..., Ran], add: Callable[..., str]
) -> None:
    configure(memoryRetrievalChars=100)
    long, longer = add("word " * 100, "--pin"), add("word " * 200, "--pin")
    add("Answer in English.", "--pin")
    done = ask("--json")
    assert [(one["what"], one["command"]) for one in done.data["advice"]] == [
        (longer, f"wuu memory edit {longer}"),
        (long, f"wuu memory edit {long}"),
    ]
    assert "memoryRetrievalChars" in done.data["advice"][0]["why"]
    told = list(rows(ask(), "advice"))
    assert [cells[0] for cells in told] == [longer, long]
    assert told[0][-1].endswith(f"wuu memory edit {longer}")


def test_of_many_pins_that_do_not_fit_five_are_named() -> None:
    pins = tuple(pin_of(at, 5_000, shown=False) for at in range(17))
    value = budget.budget_value(NOTHING, start_of(0, 0, 0, 100, pins=pins))
    assert [one["what"] for one in value["advice"]] == [one.id for one in pins[:5]]
    assert len(value["pins"]) == 17


def test_o14_lines_of_the_index_that_do_not_fit_are_advice(ask: Callable[..., Ran]) -> None:
    notebook("- line\n" * 201)
    assert ask("--json").data["advice"] == [
        {
            "what": "notebook_index",
            "why": "1 line of the notebook's index does not fit.",
            "command": "wuu notebook budget",
        }
    ]


def test_lines_of_the_index_of_the_project_have_no_command(
    ask: Callable[..., Ran], add: Callable[..., str]
) -> None:
    add("The mast is oak.")
    (folder,) = (Path(os.environ["WUU_HOME"]) / "workspaces").iterdir()
    (folder / "memory").mkdir()
    (folder / "memory" / "MEMORY.md").write_text("- line\n" * 103)
    (advice,) = ask("--json").data["advice"]
    assert (advice["what"], advice["command"]) == ("project_index", None)
    assert advice["why"].startswith("3 lines of the project's index do not fit")


def test_a_cap_without_room_for_the_frame_is_the_first_advice(
    ask: Callable[..., Ran], add: Callable[..., str]
) -> None:
    configure(memoryMaxPromptTokens=1)
    add("Answer in English.", "--pin")
    (advice,) = ask("--json").data["advice"]
    assert advice["what"] == "memoryMaxPromptTokens"
    assert advice["command"] == "wuu memory config set memoryMaxPromptTokens 10000"


@pytest.mark.parametrize(
    ("index", "sizes", "what", "command"),
    [
        (20_000, (0, 5_000, 0, 100), "notebook_index", "wuu notebook budget"),
        (0, (8_000, 4_000, 0, 100), "project_index", None),
        (0, (0, 12_000, 0, 100), "pinned", f"wuu memory edit {1:016x}"),
        (0, (0, 0, 12_000, 100), "rest", "wuu memory list"),
    ],
)
def test_of_more_than_agents_take_the_largest_part_is_named(
    index: int, sizes: tuple[int, ...], what: str, command: str | None
) -> None:
    pins = (pin_of(2, 500, shown=True), pin_of(1, 3_000, shown=True))
    notes = NOTHING._replace(bytes=index, chars=index, tokens=index // 4, shown=1)
    (advice,) = budget.budget_value(notes, start_of(*sizes, pins=pins))["advice"]
    assert (advice["what"], advice["command"]) == (what, command)
    assert "claude-code, codex" in advice["why"]


def test_what_is_not_there_makes_nothing_smaller() -> None:
    pins = (pin_of(1, 3_000, shown=True), pin_of(2, 9_000, shown=False, reason="group_budget"))
    advice = budget.budget_value(NOTHING, start_of(0, 12_000, 0, 100, pins=pins))["advice"]
    assert [(one["what"], one["command"]) for one in advice] == [
        (pins[1].id, f"wuu memory edit {pins[1].id}"),
        ("pinned", f"wuu memory edit {pins[0].id}"),
    ]


def test_the_limits_are_those_that_are_documented() -> None:
    assert budget.AGENT_LIMITS[:2] == (("claude-code", 10_000, "chars"), ("codex", 2_500, "tokens"))
    assert {one.limit for one in budget.AGENT_LIMITS[2:]} == {None}
