"""Edits that search must see, queries that are no expressions, and scripts without spaces: O-21 to O-23."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cases.conftest import Note
from cases.trees import tree


def _found(note: Note, *query: str) -> list[str]:
    return [hit["file"] for hit in note("search", "--json", "--", *query).data["topics"]]


# --- O-21: hand edits -----------------------------------------------------------------------------------


@pytest.fixture
def oncall(note: Note, notebook: Path) -> Path:
    """Return a topic that the index knows already, in a notebook with another one."""
    (notebook / "oncall.md").write_text("---\nname: On call\n---\n- pager code is WOMBAT-41\n")
    (notebook / "other.md").write_text("other\n")
    assert _found(note, "WOMBAT") == ["oncall.md"]
    assert _found(note, "QUOLL") == []
    return notebook / "oncall.md"


def test_o21_a_line_added_by_hand_is_found_at_once(note: Note, oncall: Path) -> None:
    with open(oncall, "a") as file:
        file.write("- pager code is QUOLL-41\n")
    assert _found(note, "QUOLL") == ["oncall.md"]


def test_o21_an_edit_that_keeps_time_and_size_is_found_at_once(note: Note, oncall: Path) -> None:
    for old, new in (("WOMBAT", "QUOLLS"), ("QUOLLS", "WOMBAT"), ("WOMBAT", "QUOLLS")):
        before = oncall.stat()
        oncall.write_text(oncall.read_text().replace(old, new))
        os.utime(oncall, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert (oncall.stat().st_size, oncall.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)
        assert _found(note, new) == ["oncall.md"]
        assert _found(note, old) == []


def test_o21_an_edit_that_keeps_time_size_and_age_is_found_at_once(
    note: Note, oncall: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from wuu import clock

    now = clock.now
    monkeypatch.setattr(clock, "now", lambda: now() + 3_600)
    assert _found(note, "WOMBAT") == ["oncall.md"]
    before = oncall.stat()
    replaced = oncall.with_suffix(".new")
    replaced.write_text(oncall.read_text().replace("WOMBAT", "QUOLLS"))
    os.utime(replaced, ns=(before.st_atime_ns, before.st_mtime_ns))
    replaced.replace(oncall)
    assert _found(note, "QUOLLS") == ["oncall.md"]


def test_o21_a_removed_topic_is_not_found(note: Note, oncall: Path) -> None:
    oncall.unlink()
    assert _found(note, "WOMBAT") == []
    assert note("search", "WOMBAT", "--json").data["total"] == 0


def test_o21_a_renamed_topic_is_found_under_its_new_name(note: Note, oncall: Path) -> None:
    oncall.rename(oncall.with_name("pager.md"))
    assert _found(note, "WOMBAT") == ["pager.md"]


def test_o21_an_older_copy_that_is_restored_is_found(note: Note, oncall: Path, tmp_path: Path) -> None:
    shutil.copy2(oncall, tmp_path / "backup.md")
    oncall.write_text("pager code is QUOLL\n")
    assert _found(note, "QUOLL") == ["oncall.md"]
    shutil.copy2(tmp_path / "backup.md", oncall)
    assert _found(note, "WOMBAT") == ["oncall.md"]
    assert _found(note, "QUOLL") == []


def test_o21_a_whole_other_notebook_in_its_place_is_searched(note: Note, oncall: Path) -> None:
    notebook = oncall.parent
    notebook.rename(notebook.with_name("memory-old"))
    notebook.mkdir()
    (notebook / "oncall.md").write_text("QUOLL\n")
    assert _found(note, "WOMBAT") == []
    assert _found(note, "QUOLL") == ["oncall.md"]


def _cache_files() -> list[Path]:
    return [path for path in Path(os.environ["XDG_CACHE_HOME"]).rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.unlink(),
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"no database " * 1_000),
        lambda path: path.write_bytes(path.read_bytes()[:3_000]),
        lambda path: path.write_bytes(path.read_bytes()[:4_096] + os.urandom(path.stat().st_size - 4_096)),
        lambda path: (path.unlink(), path.mkdir()),
    ],
    ids=["gone", "empty", "garbage", "cut", "scrambled", "a folder"],
)
def test_o21_a_damaged_cache_loses_nothing(note: Note, oncall: Path, damage: Any) -> None:
    before = tree(oncall.parent.parent)
    (cache,) = _cache_files()
    damage(cache)
    assert _found(note, "WOMBAT") == ["oncall.md"]
    assert _found(note, "other") == ["other.md"]
    assert tree(oncall.parent.parent) == before


def test_o21_a_cache_that_cannot_be_made_stops_nothing(note: Note, oncall: Path) -> None:
    shutil.rmtree(os.environ["XDG_CACHE_HOME"])
    Path(os.environ["XDG_CACHE_HOME"]).write_text("in the way\n")
    assert _found(note, "WOMBAT") == ["oncall.md"]
    assert note("forget", "oncall.md", "--yes").exit_code == 0
    assert _found(note, "WOMBAT") == []


def test_o21_a_cache_that_is_busy_stops_nothing(note: Note, oncall: Path) -> None:
    import sqlite3

    (cache,) = _cache_files()
    with open(oncall, "a") as file:
        file.write("QUOLL\n")
    connection = sqlite3.connect(cache, isolation_level=None)
    try:
        connection.execute("BEGIN EXCLUSIVE")
        assert _found(note, "QUOLL") == ["oncall.md"]
        assert _found(note, "WOMBAT") == ["oncall.md"]
    finally:
        connection.close()


def test_o21_forgotten_words_are_nowhere_in_home_and_cache(note: Note, oncall: Path) -> None:
    secret = b"wombat"
    assert any(secret in path.read_bytes().lower() for path in _cache_files())
    assert note("forget", "oncall.md", "--yes").exit_code == 0
    left = [*_cache_files(), *(path for path in oncall.parent.parent.rglob("*") if path.is_file())]
    assert not [path for path in left if secret in path.read_bytes().lower()]


def test_o21_searching_changes_nothing_in_the_home(note: Note, oncall: Path) -> None:
    before = tree(oncall.parent.parent)
    note("search", "WOMBAT")
    note("search", "WOMBAT", "--read-only")
    assert tree(oncall.parent.parent) == before


# --- O-22: query syntax ---------------------------------------------------------------------------------

LITERALS = (
    *("pre-commit", "it's", "src/app", "queue:lag", "C++", '"half', "(", "*", "NOT", "AND", "a OR", "-- -x"),
    *(
        "^start",
        "NEAR(a b)",
        "100%",
        "_",
        "OR",
        "a AND NOT b",
        "col:*",
        "{x}",
        "'; DROP TABLE files; --",
        "\\",
        "?",
    ),
    *(
        "a*",
        "+b",
        ".",
        "NOT x",
        '"a b"',
        '""',
        "--",
        "-",
        "!",
        "~",
        "#1",
        "C#",
        "<b>",
        "[x]",
        "|",
        "$HOME",
        "`x`",
    ),
)


@pytest.fixture
def literals(notebook: Path) -> dict[str, str]:
    files = {literal: f"note-{number:02}.md" for number, literal in enumerate(LITERALS)}
    for literal, file in files.items():
        (notebook / file).write_text(f"---\nname: Entry\n---\nbefore {literal} after\n")
    return files


@pytest.mark.parametrize("literal", LITERALS)
def test_o22_text_is_found_as_it_stands(note: Note, literals: dict[str, str], literal: str) -> None:
    done = note("search", "--limit", "1000", "--json", "--", literal)
    assert done.exit_code == 0
    assert literals[literal] in [hit["file"] for hit in done.data["topics"]]
    assert note("search", "--", literal).exit_code == 0


@pytest.mark.parametrize("query", ["", " ", "\t\n", "\u3000", "\u200b"], ids=ascii)
def test_o22_an_empty_query_is_a_usage_error(note: Note, literals: dict[str, str], query: str) -> None:
    refused = note("search", query, "--json")
    if query.strip():
        assert refused.data["topics"] == []
        return
    assert (refused.exit_code, refused.json()["errors"][0]["code"]) == (2, "usage")


def test_o22_no_query_is_a_usage_error(note: Note) -> None:
    assert note("search").exit_code == 2
    assert note("search", "--json").json()["exit_code"] == 2


@pytest.mark.parametrize(
    "query",
    [
        "x" * 10_000,
        "word " * 2_000,
        "(" * 10_000,
        '"' * 9_999,
        "a OR " * 2_000,
        "語" * 10_000,
        " ".join(map(str, range(2_500))),
    ],
    ids=lambda query: query[:6],
)
def test_o22_ten_thousand_characters_are_a_query(note: Note, literals: dict[str, str], query: str) -> None:
    done = note("search", query, "--json")
    assert done.exit_code == 0
    assert done.data["query"] == query


def test_o22_no_match_is_a_success_that_says_so(note: Note, literals: dict[str, str]) -> None:
    done = note("search", "QUOLL")
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (0, "", 1)
    as_json = note("search", "QUOLL", "--json")
    assert (as_json.exit_code, as_json.data) == (0, {"query": "QUOLL", "topics": [], "total": 0})


@pytest.mark.parametrize("limit", ["0", "-1", "1001", "x", "1e3"])
def test_o22_a_limit_out_of_bounds_is_a_usage_error(note: Note, literals: dict[str, str], limit: str) -> None:
    assert note("search", "before", "--limit", limit).exit_code == 2


def test_o22_what_a_limit_leaves_out_is_counted(note: Note, literals: dict[str, str]) -> None:
    done = note("search", "before", "--limit", "3", "--json")
    assert (len(done.data["topics"]), done.data["total"]) == (3, len(LITERALS))
    assert f"{len(LITERALS) - 3} more" in note("search", "before", "--limit", "3").stderr


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(st.characters(codec="utf-8"), min_size=1, max_size=30).filter(str.strip))
def test_o22_no_query_is_an_expression(note: Note, literals: dict[str, str], query: str) -> None:
    done = note("search", "--json", "--", query)
    assert done.exit_code == 0
    assert done.data["query"] == query


def test_o22_a_query_that_is_no_text_is_no_bug(note_process: Note, literals: dict[str, str]) -> None:
    done = note_process("search", os.fsdecode(b"caf\xe9"), "--json")
    assert done.exit_code in (0, 2)
    assert done.json()["schema"] == "wuu.result/1"


def test_o22_words_match_in_any_case_and_any_order(note: Note, notebook: Path) -> None:
    (notebook / "a.md").write_text("The QUEUE lags behind\n")
    (notebook / "b.md").write_text("Nothing of interest\n")
    for query in ("queue", "Queue", "behind queue", "lag"):
        assert _found(note, query) == ["a.md"]


# --- O-23: Chinese, Japanese, Korean, glued identifiers -------------------------------------------------

CJK = {
    "cache.md": "缓存过期时间设为五分钟，夜间任务除外",
    "redis.md": "重启redis-cache后恢复",
    "log.md": "本番のログは三十日で消える",
    "deploy.md": "배포는 화요일에만 한다",
    "english.md": "The nightly job clears the cache on Tuesday",
}


@pytest.fixture
def cjk(notebook: Path) -> Path:
    for file, text in CJK.items():
        (notebook / file).write_text(f"{text}\n")
    return notebook


@pytest.mark.parametrize(
    ("query", "file"),
    [
        ("过期", "cache.md"),
        ("夜间 缓存", "cache.md"),
        ("五分钟", "cache.md"),
        ("任务除外", "cache.md"),
        ("redis", "redis.md"),
        ("redis-cache", "redis.md"),
        ("恢复", "redis.md"),
        ("ログ", "log.md"),
        ("三十日", "log.md"),
        ("화요일", "deploy.md"),
        ("배포", "deploy.md"),
        ("nightly cache", "english.md"),
    ],
)
def test_o23_inner_words_are_found_and_come_first(note: Note, cjk: Path, query: str, file: str) -> None:
    assert _found(note, query)[0] == file


def test_o23_one_character_is_found(note: Note, cjk: Path) -> None:
    assert _found(note, "消") == ["log.md"]


def test_o23_the_snippet_shows_the_match_whole(note: Note, cjk: Path) -> None:
    (cjk / "long.md").write_text("开头" + "无关文字" * 200 + "袋鼠在这里" + "无关文字" * 200 + "\n")
    (hit,) = note("search", "袋鼠", "--json").data["topics"]
    assert "袋鼠" in hit["snippet"]
    assert len(hit["snippet"]) < 400


def test_o23_text_in_other_scripts_changes_no_english_order(note: Note, notebook: Path) -> None:
    for number, words in enumerate(
        ("deploy deploy steps", "deploy", "the deploy runs nightly and it is long", "steps")
    ):
        (notebook / f"english-{number}.md").write_text(f"{words}\n")
    before = _found(note, "deploy steps")
    for number, text in enumerate(CJK.values()):
        if not text.isascii():
            (notebook / f"other-{number}.md").write_text(f"{text}\n")
    assert _found(note, "deploy steps") == before


def test_o23_every_word_of_a_session_index_comes_through(note: Note, cjk: Path) -> None:
    for file, text in CJK.items():
        note("write", file, text, "--replace", "--description", text)
    content = note("index").stdout
    for text in CJK.values():
        assert text in content


def test_o23_names_and_titles_are_found_too(note: Note, notebook: Path) -> None:
    note("write", "--name", "部署说明", "body")
    assert _found(note, "部署") == ["部署说明.md"]
    (notebook / "kestrel_build-steps.md").write_text("nothing else\n")
    assert _found(note, "kestrel") == ["kestrel_build-steps.md"]


@pytest.mark.slow
def test_o21_two_searches_and_a_writer_at_once(note_process: Note, notebook: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    for number in range(100):
        (notebook / f"t{number}.md").write_text(f"QUOLL {number}\n")

    def run(number: int) -> int:
        if number % 3 == 0:
            return note_process("write", f"new-{number}.md", f"QUOLL new {number}").exit_code
        done = note_process("search", "QUOLL", "--limit", "1000", "--json")
        assert done.data["total"] >= 100
        return done.exit_code

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(run, range(18))) == [0] * 18
    assert note_process("search", "QUOLL", "--json").data["total"] == 106
