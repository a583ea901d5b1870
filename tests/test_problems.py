"""Every code of a check has a page, which says the same as the program and shows the problem itself."""

import pytest

from house.places import REPOSITORY
from house.transcript import parse_blocks
from wuu.problems import CODES, ERROR, WARNING

PAGES = REPOSITORY / "docs" / "reference" / "problems"


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    assert {page.stem for page in PAGES.iterdir()} == set(CODES)


@pytest.mark.parametrize("code", CODES)
def test_the_page_of(code: str) -> None:
    text = (PAGES / f"{code}.md").read_text(encoding="utf-8")
    severity, summary = CODES[code]
    assert severity in (ERROR, WARNING)
    title, _, first = text.split("\n")[:3]
    assert title == f"# {code}"
    assert first.casefold() == f"{severity}: {summary}".casefold()
    assert "## What to do\n" in text
    examples = [block for block in parse_blocks(text) if block.info.startswith("console")]
    assert any(f"{severity} {code}: " in line for block in examples for line in block.lines)


def test_codes_are_plain_words() -> None:
    for code, one in CODES.items():
        assert code.replace("_", "").isascii()
        assert code == code.lower()
        assert one.summary.endswith(".")
