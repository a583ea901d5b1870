"""Memories as a person writes them in an editor, for tests that read what no command has written."""

DAY = "2026-05-08T07:30:00.000000Z"


def memory(text: str, *, status: str | None = "saved", created: str | None = DAY, **keys: str) -> str:
    """Return the file of a memory; `keys` are written as they are, with `_` for what cannot be in a name."""
    fields = {"status": status, "created": created, **keys}
    lines = "".join(
        f"{key.replace('_', '-')}: {value}\n" for key, value in fields.items() if value is not None
    )
    return f"---\n{lines}---\n\n{text}\n"


def number(at: int) -> str:
    """Return an id that says which one it is."""
    return f"{at:016x}"
