"""How much text fits: cuts that never split a character, the prompt form of an index, estimates of tokens.

Owns the order in which an index is made fit for a prompt (FACTS, "Wuu notebook") and the limits of service
reads. It reads no files and adds nothing to a text that it cuts: what is missing is told beside it.
"""

from typing import NamedTuple, TypeVar

from wuu.errors import UsageProblem
from wuu.text.safety import sanitise_prompt_text

Cuttable = TypeVar("Cuttable", str, bytes)

INDEX_LINES, INDEX_BYTES = 200, 25_000
"""How much of the notebook's index a prompt gets (seed, memory.notebook)."""

PROJECT_INDEX_LINES, PROJECT_INDEX_BYTES = 100, 8_000
"""How much of a project memory's index a prompt gets (seed, memory.session)."""


class PromptForm(NamedTuple):
    """An index as a prompt gets it, and what it lost on the way.

    Line numbers count from 1 in the original file. `removed_lines` were unsafe and are replaced, shown or
    not. `omitted` are the lines that did not fit, one shown in part included; `kept_lines` counts those shown
    whole. Blank lines around the text are trimmed: they count in `total_lines` and in nothing else.
    """

    text: str
    truncated: bool
    removed_lines: tuple[int, ...]
    kept_lines: int
    total_lines: int
    omitted: tuple[int, ...]


def prompt_form(text: str, max_lines: int = INDEX_LINES, max_bytes: int = INDEX_BYTES) -> PromptForm:
    """Return what a prompt gets of the index `text`, at most `max_lines` lines and `max_bytes` UTF-8 bytes.

    The order is that of FACTS, "Wuu notebook": replace unsafe lines, trim, first lines, bytes. The bytes are
    cut at the last line end that fits, within the first line at a character. Nothing is added (case O-14).
    """
    safe = sanitise_prompt_text(text)
    body = safe.text.removeprefix("\ufeff")
    trimmed = body.strip()
    lines = trimmed.split("\n") if trimmed else []
    first = body[: len(body) - len(body.lstrip())].count("\n") + 1
    shown, kept = _fit(lines, max_lines, max_bytes)
    return PromptForm(
        text=shown,
        truncated=kept < len(lines),
        removed_lines=safe.removed_lines,
        kept_lines=kept,
        total_lines=count_lines(text),
        omitted=tuple(range(first + kept, first + len(lines))),
    )


def cut_utf8(value: Cuttable, max_bytes: int) -> Cuttable:
    """Return the longest beginning of `value` with at most `max_bytes` UTF-8 bytes and no split character."""
    if max_bytes <= 0:
        return value[:0]
    if isinstance(value, bytes):
        return value[: _character_start(value, max_bytes)]
    data = value[:max_bytes].encode("utf-8", "surrogatepass")
    return data[: _character_start(data, max_bytes)].decode("utf-8", "surrogatepass")


def count_lines(text: str) -> int:
    """Return the number of lines of `text`; a line feed at the end does not begin another one."""
    return text.count("\n") + (1 if text and not text.endswith("\n") else 0)


def estimate_tokens(text: str) -> int:
    """Return an estimate of the model tokens in `text`, rounded up: four characters a token (MendCode seed).

    Stricter where four would promise too much: a character of three UTF-8 bytes (Chinese, Japanese, Korean,
    most Indic and South-East Asian scripts, typographic signs) is one token, one of four bytes (emoji, rare
    Chinese characters) is two.
    """
    return -(-token_quarters(text) // 4)


def token_quarters(text: str) -> int:
    """Return the same in quarters of a token, which add up: those of two texts are those of both together."""
    if text.isascii():
        return len(text)
    leads = text.encode("utf-8", "surrogatepass").translate(None, _BELOW_THREE_BYTES)
    four = len(leads.translate(None, _LEADS_OF_THREE))
    three = len(leads) - four
    return len(text) - three - four + 4 * three + 8 * four


def read_limit(max_bytes: int | None, default: int, maximum: int) -> int:
    """Return how many bytes a service read may give back: `default` for None or 0 (memory.notebook 1.1.0).

    Raises:
        UsageProblem: `max_bytes` is negative or above `maximum`.
    """
    if not max_bytes:
        return default
    if 0 < max_bytes <= maximum:
        return max_bytes
    raise UsageProblem(
        f"max_bytes must be between 0 and {maximum}, not {max_bytes}.", max_bytes=max_bytes, maximum=maximum
    )


_BELOW_THREE_BYTES = bytes(range(0xE0))
_LEADS_OF_THREE = bytes(range(0xE0, 0xF0))


def _fit(lines: list[str], max_lines: int, max_bytes: int) -> tuple[str, int]:
    """Return the text of the first lines that fit and how many of them are whole."""
    chosen = lines[: max(max_lines, 0)]
    text = "\n".join(chosen)
    data = text.encode("utf-8", "surrogatepass")
    if len(data) <= max_bytes:
        return text.rstrip("\r"), len(chosen)
    # A line end right behind the last byte that fits is a line end as well.
    end = data.rfind(b"\n", 0, max(max_bytes, 0) + 1)
    if end < 0:
        return cut_utf8(text, max_bytes).rstrip("\u200d"), 0  # half an emoji sequence is unsafe text
    return data[:end].decode("utf-8", "surrogatepass").rstrip("\r"), data.count(b"\n", 0, end) + 1


def _character_start(data: bytes, at: int) -> int:
    """Return the last place not behind `at` where a character begins; a character has at most four bytes."""
    if at >= len(data):
        return len(data)
    for place in range(at, max(at - 4, -1), -1):
        if data[place] & 0xC0 != 0x80:
            return place
    return at
