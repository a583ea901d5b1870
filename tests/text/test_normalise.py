"""Keys under which texts and names are the same, and file names that are safe everywhere."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wuu.ids import sha256_hex
from wuu.text.normalise import (
    MAX_NAME_BYTES,
    MAX_STEM_BYTES,
    duplicate_key,
    link_key,
    name_problem,
    path_key,
    safe_file_name,
    topic_name_problem,
)

CHANGES_OF_FORM = [str.upper, str.lower, str.swapcase, lambda text: unicodedata.normalize("NFD", text)]


def _digits(name: str) -> str:
    return sha256_hex(name.encode("utf-8", "surrogatepass"))[:8]


# --- keys ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use tabs", "use  TABS"),
        ("Use tabs", " Use\r\n\ttabs \n"),
        ("Straße", "STRASSE"),
        ("café", "cafe\u0301"),
        ("ﬁle", "FILE"),
        ("１２", "12"),
        ("a\u00a0b", "A b"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
    ],
)
def test_o24_the_same_text_in_another_form_has_the_same_duplicate_key(one: str, other: str) -> None:
    assert duplicate_key(one) == duplicate_key(other)


@pytest.mark.parametrize(
    ("one", "other"), [("use tabs", "use tab"), ("ab", "a b"), ("no", "nö"), ("1.0", "10")]
)
def test_other_texts_have_other_duplicate_keys(one: str, other: str) -> None:
    assert duplicate_key(one) != duplicate_key(other)


@given(st.text())
@example("\u0345\u0399\u1f80")
@example("\u03d3\u0301 \u00b4")
def test_a_duplicate_key_is_its_own_key(text: str) -> None:
    key = duplicate_key(text)
    assert duplicate_key(key) == key
    assert key == " ".join(key.split())
    assert unicodedata.is_normalized("NFKC", key)


@given(st.text())
def test_normal_form_and_white_space_do_not_change_the_duplicate_key(text: str) -> None:
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        assert duplicate_key(unicodedata.normalize(form, text)) == duplicate_key(text)
    assert duplicate_key(f"\n {text}\t") == duplicate_key(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("My_Topic.md", "my-topic"),
        ("my topic.MD", "My-Topic.md"),
        ("Crew Rota", "crew_rota.md"),
        ("Cafe\u0301.md", "café"),
    ],
)
def test_links_that_mean_one_topic_have_one_key(one: str, other: str) -> None:
    assert link_key(one) == link_key(other)


@pytest.mark.parametrize(
    ("one", "other"), [("a--b", "a-b"), ("a.md.md", "a.md"), ("ab", "a-b"), ("a.b", "a-b")]
)
def test_links_that_mean_two_topics_have_two_keys(one: str, other: str) -> None:
    assert link_key(one) != link_key(other)


def test_o20_names_equal_but_for_case_or_normalisation_have_one_path_key() -> None:
    assert path_key("Harbour.md") == path_key("harbour.MD")
    assert path_key("Ångström.md") == path_key("A\u030angstro\u0308m.md")
    assert path_key("crew-rota.md") != path_key("crew rota.md")


@given(st.text())
@example("\u0345\u0300")
@example("\u1fb3\u0301")
def test_a_path_key_is_its_own_key_in_every_canonical_form(name: str) -> None:
    key = path_key(name)
    assert path_key(key) == key
    assert path_key(unicodedata.normalize("NFD", name)) == key
    assert path_key(unicodedata.normalize("NFC", name)) == key


# --- file names that are made -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Crew Rota", "crew-rota.md"),
        ("部署说明", "部署说明.md"),
        ("Ответы", "ответы.md"),
        ("C", "c.md"),
        ("C++", "cplusplus.md"),
        ("C#", "csharp.md"),
        ("F# / C++ notes", "fsharp-cplusplus-notes.md"),
        ("fix C #sharp build", "fix-c-sharp-build.md"),
        ("+1 for #2", "1-for-2.md"),
        ("trailing.", "trailing.md"),
        (".hidden", "hidden.md"),
        ("a:b", "a-b.md"),
        ("__init__", "init.md"),
        ("../../evil", "evil.md"),
        ("release notes.md", "release-notes.md"),
        ("Release.MD ", "release.md"),
        ("v1.2.3", "v1-2-3.md"),
        ("Cafe\u0301", "café.md"),
        ("हिन्दी नोट", "हिन्दी-नोट.md"),
        ("ภาษาไทยที่", "ภาษาไทยที่.md"),
        ("1\ufe0f\u20e3 first", "1-first.md"),
        ("a\u3164b", "a-b.md"),
        ("Zoë’s — list", "zoë-s-list.md"),
    ],
)
def test_o19_a_file_name_keeps_the_letters_of_the_title(name: str, expected: str) -> None:
    assert safe_file_name(name) == expected


@pytest.mark.parametrize("name", ["👍", "👎", "---", "", "  ", ".md", "\ufe0f", "\u3164", "\ud800"])
def test_o19_a_title_without_letters_gets_digits_of_its_digest(name: str) -> None:
    assert safe_file_name(name) == f"topic-{_digits(name)}.md"


@pytest.mark.parametrize(
    "name", ["CON", "nul.md", "aux", "COM1", "lpt9", "com0", "COM¹", "MEMORY", "Agents", "claude.md"]
)
def test_o19_a_name_that_means_something_else_somewhere_gets_digits(name: str) -> None:
    stem = name.lower().removesuffix(".md")
    assert safe_file_name(name) == f"{stem}-{_digits(name)}.md"


def test_o19_long_titles_are_cut_on_a_character_and_stay_apart() -> None:
    names = [safe_file_name(title) for title in ("語" * 100, "語" * 101, "a" * 300, "a" * 301)]
    assert len(set(names)) == len(names)
    assert names[0] == "語" * 37 + f"-{_digits('語' * 100)}.md"
    assert all(len(name.encode()) <= MAX_STEM_BYTES + len(".md") for name in names)
    assert safe_file_name("a" * MAX_STEM_BYTES) == "a" * MAX_STEM_BYTES + ".md"


def test_o19_the_titles_of_the_report_get_files_of_their_own() -> None:
    titles = ["部署说明", "Ответы", "C", "C++", "C#", "👍", "語" * 100, "a" * 300, "CON", "nul.md", "aux"]
    titles += ["trailing.", ".hidden", "a:b", "MEMORY"]
    files = [safe_file_name(title) for title in titles]
    assert len({path_key(file) for file in files}) == len(titles)
    assert all(topic_name_problem(file) is None and len(file.encode()) <= MAX_NAME_BYTES for file in files)


@given(st.text())
@example("+#" * 100)
@example("İ" * 80)
@example("a" + "\u0301" * 200)
def test_a_made_name_is_always_accepted(name: str) -> None:
    file = safe_file_name(name)
    assert topic_name_problem(file) is None
    assert len(file.removesuffix(".md").encode()) <= MAX_STEM_BYTES
    assert unicodedata.is_normalized("NFC", file)
    assert not set(file) & set('/\\:*?"<>| ')


@given(st.text())
def test_the_normal_form_of_a_title_does_not_change_its_file(name: str) -> None:
    assert safe_file_name(unicodedata.normalize("NFD", name)) == safe_file_name(
        unicodedata.normalize("NFC", name)
    )


# --- file names that are accepted ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "file",
    [
        "a.md",
        "Harbour Notes.md",
        "部署.md",
        "a.b.md",
        "-x.md",
        "AGENTS.md",
        "console.md",
        "com10.md",
        "x" * 237 + ".md",
    ],
)
def test_plain_names_are_accepted(file: str) -> None:
    assert topic_name_problem(file) is None
    assert topic_name_problem(file) is None


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        ("", "empty"),
        (".md", "hidden"),
        (".hidden.md", "hidden"),
        ("..", "hidden"),
        ("a", "does not end in .md"),
        ("a.MD", "does not end in .md"),
        ("a.markdown", "does not end in .md"),
        ("MEMORY.md", "index"),
        ("memory.md", "index"),
        ("../evil.md", "plain file name"),
        ("/tmp/evil.md", "plain file name"),
        ("..\\evil.md", "plain file name"),
        ("C:evil.md", "colon"),
        ("a\0.md", "control character"),
        ("a\n.md", "control character"),
        ("a\u2028.md", "control character"),
        ("a\udcff.md", "control character"),
        ("a .md", "Windows drops"),
        ("a..md", "Windows drops"),
        ("con.md", "device"),
        ("NUL.notes.md", "device"),
        ("Com¹.md", "device"),
        ("CONIN$.md", "device"),
        ("x" * 238 + ".md", "240 bytes"),
        ("語" * 80 + ".md", "240 bytes"),
    ],
)
def test_o17_other_names_are_refused_with_the_reason(file: str, reason: str) -> None:
    assert topic_name_problem(file) is not None
    assert reason in (topic_name_problem(file) or "")


@pytest.mark.parametrize(
    "file", ["a:b.md", "con.md", "a .md", "語" * 80 + ".md", "non-breaking\u00a0space.md", "👩\u200d👩.md"]
)
def test_a_file_that_exists_is_a_topic_under_many_names(file: str) -> None:
    assert name_problem(file) is None


@pytest.mark.parametrize(
    "file", ["", "a.txt", ".a.md", "Memory.MD", "Memory.md", "x/a.md", "x\\a.md", "a\x1b.md", "a\udcff.md"]
)
def test_a_file_that_exists_is_no_topic_under_others(file: str) -> None:
    assert name_problem(file) is not None
    assert topic_name_problem(file) == name_problem(file)
