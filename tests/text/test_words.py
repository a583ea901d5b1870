"""Words of documents and queries: names, short names, accents, CJK, irregular forms, stop words."""

import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from wuu.text.irregular import IRREGULAR, SHORT_NAMES, STOP_WORDS
from wuu.text.words import LONGEST_WORD, words

ANY_TEXT = st.text(max_size=60)
ASCII_LINES = st.text(st.characters(codec="ascii", exclude_characters="\n"), max_size=60)
SCRIPTS = st.text("aé Ñüß'’-_/.:+#1夜間缓ログ화요일がЖжάЙ", max_size=40)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("redis-cache", ["redis", "cache", "rediscache"]),
        ("max_retry_count", ["max", "retry", "count", "maxretrycount"]),
        ("getUserName", ["get", "user", "name", "getusername"]),
        ("HTTPServer", ["http", "server", "httpserver"]),
        ("src/app", ["src", "app", "srcapp"]),
        ("queue:lag", ["queue", "lag", "queuelag"]),
        ("std::vector", ["std", "vector", "stdvector"]),
        ("app/user-store.go", ["app", "user", "store", "userstore", "appuserstorego"]),
        ("__init__", ["init"]),
        ("md5Sum", ["md5", "sum", "md5sum"]),
        ("IDs and APIs", ["ids", "apis"]),
        ("a1b2c3d4", ["a1b2c3d4"]),
        ("3.10", ["3", "10", "310"]),
    ],
)
def test_a_name_gives_its_parts_and_itself_joined(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    "spelling", ["pre-commit", "preCommit", "pre_commit", "precommit", "PreCommit", "PRE-COMMIT"]
)
def test_every_spelling_of_a_name_shares_a_word(spelling: str) -> None:
    assert "precommit" in words(spelling)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("C++", ["cplusplus"]),
        ("c++", ["cplusplus"]),
        ("C#", ["csharp"]),
        ("F#.", ["fsharp"]),
        ("C++17", ["cplusplus", "17"]),
        ("C/C++", ["c", "cplusplus", "ccplusplus"]),
        ("GTK+", ["gtk", "gtkplus"]),
        ("issue #12", ["issue", "12"]),
        ("#heading", ["heading"]),
        ("n+1 queries", ["1", "queries"]),
    ],
)
def test_a_plus_or_a_sharp_at_the_end_of_a_name_is_spelled(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("CI", ["ci"]),
        ("Go", ["go"]),
        ("S3", ["s3"]),
        ("5G", ["5g"]),
        ("s3 k8s", ["s3", "k8s"]),
        ("vitamin C", ["vitamin", "c"]),
        ("go xy z", []),
        ("שם", ["שם"]),
        ("7", ["7"]),
    ],
)
def test_a_short_word_counts_in_capitals_with_a_digit_or_without_case(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_short_names_are_found_in_small_letters_too() -> None:
    assert words("the ci of the db") == words("the CI of the DB") == ["ci", "db"]


def test_a_stop_word_in_capitals_is_a_name() -> None:
    assert words("the IT team, NOT it") == ["it", "team", "not"]


def test_a_shouted_text_holds_no_names_in_capitals() -> None:
    assert words("WHERE DID IT BREAK") == words("where did it break") == ["break"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "the and of",
        "It is",
        "don't won't isn't it's",
        "I've we're you'll",
        "el la que para",
        "* ( _ ^ -- -x",
    ],
)
def test_what_says_nothing_gives_no_words(text: str) -> None:
    assert words(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tove's boat", ["tove", "boat"]),
        ("Tove’s boat", ["tove", "boat"]),
        ("O'Hara", ["hara", "ohara"]),
        ("the ships' bells", ["ships", "bells"]),
    ],
)
def test_an_apostrophe_parts_what_is_no_part_of_the_name(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Café Façade NAÏVE", ["cafe", "facade", "naive"]),
        ("Łódź Straße Øre æsir", ["lodz", "strasse", "ore", "aesir"]),
        ("ﬁle ＡＢＣ ①", ["file", "abc", "1"]),
        ("dep\u00adloy\ufeff", ["deploy"]),
        ("Ёлка Йод", ["елка", "иод"]),
        ("हिन्दी", ["हिन्दी"]),
    ],
)
def test_case_accents_and_compatibility_forms_are_folded(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("缓存过期", ["缓存", "存过", "过期"]),
        ("重启redis-cache后恢复", ["重启", "redis", "cache", "rediscache", "后恢", "恢复"]),
        ("ログは消える", ["ログ", "グは", "は消", "消え", "える"]),
        ("ﾛｸﾞ", ["ログ"]),
        ("화요일에만", ["화요", "요일", "일에", "에만"]),
        ("夜 5 本", ["夜", "5", "本"]),
        ("夜間、本番・時", ["夜間", "本番", "時"]),
        ("𠮷野家", ["𠮷野", "野家"]),
    ],
)
def test_o23_cjk_runs_are_cut_into_pairs(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("went", ["go"]),
        ("Bought", ["buy"]),
        ("children", ["child"]),
        ("tried tries", ["try", "try"]),
        ("added", ["add"]),
        ("not_found", ["find", "notfound"]),
    ],
)
def test_an_irregular_form_becomes_its_base(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_the_tables_agree_with_each_other() -> None:
    bases = set(IRREGULAR.values())
    assert not bases & set(IRREGULAR), "a base that is itself mapped on"
    assert not (bases | set(IRREGULAR)) & STOP_WORDS, (
        "a form that is never reached, or a base that never counts"
    )
    assert all(len(name) == 2 and name not in STOP_WORDS for name in SHORT_NAMES)
    assert all(word == word.casefold() and word.isascii() and word.isalpha() for word in STOP_WORDS | bases)


@pytest.mark.parametrize("length", [LONGEST_WORD, LONGEST_WORD + 1, 10_000])
def test_a_long_word_is_cut_and_a_long_name_gives_only_its_parts(length: int) -> None:
    assert words("x" * length) == ["x" * LONGEST_WORD]
    assert words("-".join(["abc"] * length)) == ["abc"] * length


def test_a_huge_text_is_read_through() -> None:
    one_paragraph = "harbour " * 300_000
    assert len(words(one_paragraph)) == 300_000
    assert len(words(one_paragraph + "é")) == 300_000


def test_many_different_words_are_as_good_as_few() -> None:
    different = [f"word{number}x" for number in range(70_000)]
    assert words(" ".join(different)) == different
    assert words("word1x C++") == ["word1x", "cplusplus"]


@given(ANY_TEXT)
def test_words_are_short_solid_and_the_same_each_time(text: str) -> None:
    found = words(text)
    assert found == words(text)
    assert all(0 < len(word) <= LONGEST_WORD and not set(word) & set(" \t\n\"'*()-_+#") for word in found)


@given(ANY_TEXT | SCRIPTS)
def test_the_words_of_words_are_no_new_words(text: str) -> None:
    found = words(text)
    assert set(words(" ".join(found))) <= set(found)


@given(SCRIPTS)
def test_composed_and_decomposed_text_gives_the_same_words(text: str) -> None:
    assert words(unicodedata.normalize("NFD", text)) == words(unicodedata.normalize("NFC", text))


@given(ANY_TEXT | SCRIPTS | ASCII_LINES, ANY_TEXT | SCRIPTS | ASCII_LINES)
def test_lines_do_not_touch_each_other(one: str, other: str) -> None:
    whole = f"{one}\n{other}"
    assume(not any(text.isupper() for text in (one, other, whole)))
    assert words(whole) == words(one) + words(other)


@given(ASCII_LINES)
def test_the_fast_path_gives_the_same_words(line: str) -> None:
    assume(not line.isupper())
    assert words(f"{line} ñandú") == [*words(line), "nandu"]
