"""Interim: replaced by the helper who builds this module."""

from typing import NamedTuple


class Secret(NamedTuple):
    """A credential in a text."""

    kind: str
    start: int
    end: int


class Redacted(NamedTuple):
    """A text without its credentials."""

    text: str
    found: tuple[Secret, ...]


def find_secrets(text: str) -> tuple[Secret, ...]:
    """Return nothing yet."""
    return ()


def redact(text: str, known: str = "") -> Redacted:
    """Return the text as it is yet."""
    return Redacted(text, ())
