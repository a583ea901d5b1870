"""The markers of a merge that was left unfinished, as version control writes them into a text."""

from wuu.text.markdown_lines import split_lines

_OURS, _BASE, _MIDDLE, _THEIRS = "<<<<<<<", "|||||||", "=======", ">>>>>>>"


def find_conflict_marker(text: str) -> int | None:
    """Return the first line of an unfinished merge, or None.

    The markers stand in their order at line starts, outside of code and comments: a heading underlined with
    `=======` is none.
    """
    if _OURS not in text:
        return None
    opened, divided = None, False
    for number, line in enumerate(split_lines(text).lines, 1):
        mark = "" if line.literal else _mark(line.content.rstrip("\r"))
        if mark == _OURS:
            opened, divided = number, False
        elif mark == _MIDDLE and opened is not None:
            divided = True
        elif mark == _THEIRS and divided:
            return opened
    return None


def _mark(content: str) -> str:
    """Return the marker that a line is, or nothing; only the one in the middle may stand alone."""
    head, rest = content[:7], content[7:8]
    if head == _MIDDLE:
        return head if not content[7:].strip() else ""
    return head if head in (_OURS, _BASE, _THEIRS) and rest == " " else ""
