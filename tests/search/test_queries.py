"""What a person types finds the notes that hold it, and is never an error (cases O-22 and O-23)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.shelf import Shelf, found, full_shelf
from wuu.search.index import SearchIndex, open_index
from wuu.search.snippets import find_phrase
from wuu.store.files import FileStat
from wuu.text.words import words

QUERIES = [
    "pre-commit",
    "it's",
    "src/app",
    "queue:lag",
    "C++",
    '"half',
    "(",
    "*",
    "NOT",
    "AND",
    "a OR",
    "-- -x",
    "^start",
    "NEAR(a b)",
    "100%",
    "_",
]


@pytest.mark.parametrize("query", QUERIES)
def test_o22_every_literal_finds_its_note(index: SearchIndex, shelf: Shelf, query: str) -> None:
    for number, literal in enumerate(QUERIES):
        shelf.put(f"{number}.md", f"Tove wrote {literal} on the wall\n")
    index.refresh(shelf.listing(), shelf.load)
    expected = f"{QUERIES.index(query)}.md"
    if words(query):
        assert found(index, query)[0] == expected
    else:
        assert expected in [name for name, text in shelf.texts.items() if find_phrase(text, query)]


@pytest.mark.parametrize(
    "query", [*QUERIES, "", '""', "a" * 10_000, "x-" * 5_000, "word " * 2_000, "\x00", "terms:a*"]
)
def test_o22_no_query_is_an_error(index: SearchIndex, shelf: Shelf, query: str) -> None:
    shelf.put("a.md", "harbour")
    index.refresh(shelf.listing(), shelf.load)
    assert index.search(words(query), 5).total == 0
    assert index.search([query], 5).total == 0


@given(st.lists(st.text(max_size=12), max_size=4))
def test_o22_no_word_is_read_as_an_expression(query: list[str]) -> None:
    with open_index(None) as index:
        index.refresh([FileStat("a.md", 1, 1, 1, 1)], lambda _: "harbour bell")
        assert index.search([*query, "harbour"], 5).total == 1


def test_o22_a_long_prompt_finds_the_note_by_its_rare_word(index: SearchIndex) -> None:
    shelf = full_shelf()
    index.refresh(shelf.listing(), shelf.load)
    prompt = "the note " + " ".join(f"absent{number:03}" for number in range(1_000)) + " only42x"
    assert len(prompt) > 10_000
    assert index.search(words(prompt), 1).best[0].name == "note-042.md"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("过期", ["cache.md"]),
        ("夜间 缓存", ["cache.md"]),
        ("夜间 恢复", ["cache.md", "redis.md"]),
        ("redis", ["redis.md"]),
        ("Redis-Cache", ["redis.md"]),
        ("rediscache", ["redis.md"]),
        ("ログ", ["log.md"]),
        ("ﾛｸﾞ", ["log.md"]),
        ("화요일", ["deploy.md"]),
        ("월요일", ["deploy.md"]),
        ("时期", []),
    ],
)
def test_o23_words_inside_unspaced_text_are_found(
    index: SearchIndex, shelf: Shelf, query: str, expected: list[str]
) -> None:
    shelf.put("cache.md", "缓存过期时间设为五分钟，夜间任务除外")
    shelf.put("redis.md", "重启redis-cache后恢复")
    shelf.put("log.md", "本番のログは三十日で消える")
    shelf.put("deploy.md", "배포는 화요일에만 한다")
    shelf.put("english.md", "It expires after five minutes, but for the jobs of the night")
    index.refresh(shelf.listing(), shelf.load)
    assert sorted(found(index, query)) == expected


def test_o23_cjk_notes_do_not_change_the_order_of_english_ones(index: SearchIndex, shelf: Shelf) -> None:
    shelf.put("a.md", "tide table and wind")
    shelf.put("b.md", "tide")
    shelf.put("c.md", "wind, tide and a bell")
    index.refresh(shelf.listing(), shelf.load)
    before = found(index, "tide and bell")
    shelf.put("cache.md", "缓存过期时间设为五分钟，夜间任务除外")
    index.refresh(shelf.listing(), shelf.load)
    assert found(index, "tide and bell") == before == ["c.md", "a.md", "b.md"]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("we deployed it twice", "deploying"),
        ("she went home", "all are gone"),
        ("the aliases of the viruses", "virus alias"),
        ("ask at the café", "CAFE"),
        ("read the HTTPServer class", "http server"),
        ("the CI is red", "ci"),
        ("written in C#", "c#"),
        ("हिन्दी में", "हिन्दी"),
        ("\u19b0\u1cf2 Ⱥ 𞤀𞤁", "\u19b0\u1cf2"),
        ("𠮷野家", "野家"),
    ],
)
def test_other_forms_of_a_word_find_it(index: SearchIndex, shelf: Shelf, text: str, query: str) -> None:
    shelf.put("a.md", text)
    shelf.put("b.md", "something quite different")
    index.refresh(shelf.listing(), shelf.load)
    assert found(index, query) == ["a.md"]


@given(st.text(min_size=1, max_size=40))
def test_every_word_of_a_text_finds_it(text: str) -> None:
    with open_index(None) as index:
        index.refresh([FileStat("a.md", 1, 1, 1, 1)], lambda _: text)
        for word in words(text):
            assert index.search([word], 1).total == 1
