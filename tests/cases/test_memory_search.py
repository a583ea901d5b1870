"""Edits that search must see, queries that are no expressions, and scripts without spaces: O-21 to O-23."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cases.conftest import Note
from cases.memories import IDS, PLAIN, added, ids, put, shelf_of, user_shelf
from cases.test_search import CJK, LITERALS
from cases.trees import tree
from house.invocation import Ran

ONCALL, OTHER = IDS[:2]


@pytest.fixture
def mem(invoke: Note) -> Note:
    def run(*arguments: str, **options: Any) -> Ran:
        return invoke("memory", *arguments, **options)

    return run


def _found(mem: Note, *query: str) -> list[str]:
    return ids(mem("search", "--json", "--", *query))


# --- O-21: hand edits -----------------------------------------------------------------------------------


@pytest.fixture
def oncall(mem: Note, home: Path) -> Path:
    """Return the file of a memory that the index knows already, beside another one."""
    place = put(shelf_of(home), ONCALL, "pager code is WOMBAT-41")
    put(user_shelf(home), OTHER, "other")
    assert _found(mem, "WOMBAT") == [ONCALL]
    assert _found(mem, "QUOLL") == []
    return place


def test_o21_a_line_added_by_hand_is_found_at_once(mem: Note, oncall: Path) -> None:
    with open(oncall, "a") as file:
        file.write("pager code is QUOLL-41\n")
    assert _found(mem, "QUOLL") == [ONCALL]
    oncall.write_text(oncall.read_text().replace("category: other", "category: pagers\ntags: [beeper]"))
    assert _found(mem, "beeper") == _found(mem, "pagers") == [ONCALL]


def test_o21_an_edit_that_keeps_time_and_size_is_found_at_once(mem: Note, oncall: Path) -> None:
    for old, new in (("WOMBAT", "QUOLLS"), ("QUOLLS", "WOMBAT"), ("WOMBAT", "QUOLLS")):
        before = oncall.stat()
        oncall.write_text(oncall.read_text().replace(old, new))
        os.utime(oncall, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert (oncall.stat().st_size, oncall.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)
        assert _found(mem, new) == [ONCALL]
        assert _found(mem, old) == []


def test_o21_a_status_changed_by_hand_counts_at_once(mem: Note, oncall: Path) -> None:
    for status, found in (("archived", []), ("saved", [ONCALL]), ("pending", []), ("saved", [ONCALL])):
        lines = oncall.read_text().split("\n")
        oncall.write_text("\n".join(f"status: {status}" if "status:" in line else line for line in lines))
        assert _found(mem, "WOMBAT") == found
        assert ids(mem("search", "WOMBAT", "--status", status, "--json")) == [ONCALL]


def test_o21_a_removed_memory_is_not_found(mem: Note, oncall: Path) -> None:
    oncall.unlink()
    assert mem("search", "WOMBAT", "--json").data == {"query": "WOMBAT", "memories": [], "total": 0}


def test_o21_a_memory_made_by_hand_is_one(mem: Note, oncall: Path) -> None:
    put(oncall.parent, IDS[5], "QUOLL by hand")
    assert _found(mem, "QUOLL") == [IDS[5]]
    assert mem("pin", IDS[5]).exit_code == 0


def test_o21_an_older_copy_that_is_restored_is_found(mem: Note, oncall: Path, tmp_path: Path) -> None:
    shutil.copy2(oncall, tmp_path / "backup.md")
    oncall.write_text(PLAIN.format("pager code is QUOLL"))
    assert _found(mem, "QUOLL") == [ONCALL]
    shutil.copy2(tmp_path / "backup.md", oncall)
    assert _found(mem, "WOMBAT") == [ONCALL]
    assert _found(mem, "QUOLL") == []


def _cache_files() -> list[Path]:
    return [path for path in Path(os.environ["XDG_CACHE_HOME"]).rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.unlink(),
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"no database " * 1_000),
        lambda path: path.write_bytes(path.read_bytes()[:3_000]),
    ],
    ids=["gone", "empty", "garbage", "cut"],
)
def test_o21_a_damaged_cache_loses_nothing(mem: Note, oncall: Path, damage: Any) -> None:
    before = tree(oncall.parent)
    assert len(_cache_files()) == 2
    for path in _cache_files():
        damage(path)
    assert _found(mem, "WOMBAT") == [ONCALL]
    assert mem("index", "status").exit_code == 0
    assert tree(oncall.parent) == before
    assert mem("index", "rebuild", "--json").data["indexes"][1]["indexed"] == 1


def test_o21_deleted_and_replaced_words_are_nowhere_in_home_and_cache(mem: Note, home: Path) -> None:
    first, second = added(mem, "the code is ZEBRAFINCH"), added(mem, "the door is KOOKABURRA", "--user")
    third = added(mem, "the gate is CASSOWARY")
    for word, memory_id in (("ZEBRAFINCH", first), ("KOOKABURRA", second), ("CASSOWARY", third)):
        assert _found(mem, word) == [memory_id]
    assert mem("delete", first, second, "--yes").exit_code == 0
    assert mem("edit", third, "--text", "the gate is open").exit_code == 0
    left = b"".join(
        path.read_bytes().lower() for path in [*_cache_files(), *filter(Path.is_file, home.rglob("*"))]
    )
    for word in (b"zebrafinch", b"kookaburra", b"cassowary"):
        assert word not in left


def test_o21_searching_changes_nothing_in_the_home(mem: Note, oncall: Path, home: Path) -> None:
    before = tree(home)
    for more in ((), ("--read-only",), ("--json",)):
        assert mem("search", "WOMBAT", *more).exit_code == 0
        assert mem("list", *more).exit_code == 0
    assert tree(home) == before


# --- O-22: query syntax ---------------------------------------------------------------------------------


@pytest.fixture
def literals(home: Path) -> dict[str, str]:
    shelf = shelf_of(home)
    known = {literal: f"{number:016x}" for number, literal in enumerate(LITERALS)}
    for literal, memory_id in known.items():
        put(shelf, memory_id, f"before {literal} after")
    return known


@pytest.mark.parametrize("literal", LITERALS)
def test_o22_text_is_found_as_it_stands(mem: Note, literals: dict[str, str], literal: str) -> None:
    done = mem("search", "--limit", "1000", "--json", "--", literal)
    assert done.exit_code == 0
    assert literals[literal] in ids(done)
    assert mem("search", "--", literal).exit_code == 0


@pytest.mark.parametrize("query", ["", " ", "\t\n", "\u3000"], ids=ascii)
def test_o22_an_empty_query_is_a_usage_error(mem: Note, literals: dict[str, str], query: str) -> None:
    refused = mem("search", query, "--json")
    assert (refused.exit_code, refused.json()["errors"][0]["code"]) == (2, "usage")
    assert mem("search").exit_code == 2


@pytest.mark.parametrize(
    "query",
    ["x" * 10_000, "word " * 2_000, "(" * 10_000, '"' * 9_999, "a OR " * 2_000, "語" * 10_000],
    ids=lambda query: query[:6],
)
def test_o22_ten_thousand_characters_are_a_query(mem: Note, literals: dict[str, str], query: str) -> None:
    done = mem("search", query, "--json")
    assert (done.exit_code, done.data["query"]) == (0, query)


def test_o22_no_match_is_a_success_that_says_so(mem: Note, literals: dict[str, str]) -> None:
    done = mem("search", "QUOLL")
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (0, "", 1)
    assert mem("search", "QUOLL", "--json").data == {"query": "QUOLL", "memories": [], "total": 0}


def test_o22_what_a_limit_leaves_out_is_counted(mem: Note, literals: dict[str, str]) -> None:
    done = mem("search", "before", "--limit", "3", "--json")
    assert (len(done.data["memories"]), done.data["total"]) == (3, len(LITERALS))
    assert f"{len(LITERALS) - 3} more" in mem("search", "before", "--limit", "3").stderr
    for limit in ("0", "-1", "1001", "x", "1e3"):
        assert mem("search", "before", "--limit", limit).exit_code == 2


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(st.characters(codec="utf-8"), min_size=1, max_size=30).filter(str.strip))
def test_o22_no_query_is_an_expression(mem: Note, literals: dict[str, str], query: str) -> None:
    done = mem("search", "--json", "--", query)
    assert (done.exit_code, done.data["query"]) == (0, query)


# --- O-23: Chinese, Japanese, Korean, glued identifiers -------------------------------------------------


@pytest.fixture
def cjk(home: Path) -> dict[str, str]:
    known = dict(zip(CJK, IDS, strict=False))
    for file, memory_id in known.items():
        put(shelf_of(home), memory_id, CJK[file])
    return known


@pytest.mark.parametrize(
    ("query", "file"),
    [
        ("过期", "cache.md"),
        ("夜间 缓存", "cache.md"),
        ("五分钟", "cache.md"),
        ("redis", "redis.md"),
        ("redis-cache", "redis.md"),
        ("恢复", "redis.md"),
        ("ログ", "log.md"),
        ("消", "log.md"),
        ("화요일", "deploy.md"),
        ("nightly cache", "english.md"),
    ],
)
def test_o23_inner_words_are_found_and_come_first(
    mem: Note, cjk: dict[str, str], query: str, file: str
) -> None:
    assert _found(mem, query)[0] == cjk[file]


def test_o23_tags_and_categories_are_words_too(mem: Note, home: Path) -> None:
    memory_id = added(
        mem, "fact", "--tag", "夜间任务", "--category", "部署说明", "--categories", "kestrel_build"
    )
    for query in ("夜间", "部署", "kestrel"):
        assert _found(mem, query) == [memory_id]


def test_o23_text_in_other_scripts_changes_no_english_order(mem: Note, home: Path) -> None:
    shelf = shelf_of(home)
    lines = ("deploy deploy steps", "deploy", "the deploy runs nightly and it is long", "steps")
    for memory_id, line in zip(IDS, lines, strict=False):
        put(shelf, memory_id, line)
    before = _found(mem, "deploy steps")
    for memory_id, text in zip(IDS[10:], CJK.values(), strict=False):
        if not text.isascii():
            put(shelf, memory_id, text)
    assert _found(mem, "deploy steps") == before
