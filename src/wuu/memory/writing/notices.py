"""How a sentence calls a memory: its id and how it begins, and the shelf on which it stands.

Owns those words, so that every refusal and every notice names a memory in the same way. It prints nothing.
"""

from wuu.memory.format.entry import Entry
from wuu.memory.shelves import PROJECT, USER, Shelf

_CHARACTERS = 40


def named(entry: Entry) -> str:
    """Return how a sentence calls a memory: its id and its first words."""
    return f"{entry.id} {quoted(entry.text)}"


def quoted(text: str, characters: int = _CHARACTERS) -> str:
    """Return the beginning of a text on one line, in quotes; an ellipsis says that there is more."""
    beginning = text[: 8 * characters]
    flat = " ".join(beginning.split())
    if len(flat) <= characters and beginning == text:
        return f'"{flat}"'
    return f'"{flat[:characters].rstrip()}…"'


def place_of(shelf: Shelf) -> str:
    """Return how a sentence calls a shelf."""
    if shelf.scope == USER:
        return f"the profile {shelf.profile}"
    return "this project" if shelf.scope == PROJECT else f"the session {shelf.session}"
