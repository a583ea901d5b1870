"""Credentials in what is added to a memory: refused, redacted or kept, the same for adding and editing."""

import pytest

from memory.conftest import Room, after, codes
from wuu.errors import ApprovalRequired, SecretDetected
from wuu.memory.format.entry import PENDING
from wuu.text import secrets

KEY = "gh" + "p_" + "A1b2" * 9
PASSWORD = "pass" + "word: correct-horse-9"


@pytest.fixture(autouse=True)
def _detector(monkeypatch: pytest.MonkeyPatch) -> None:
    """Know two credentials, whatever the real rules are: what is tested here is what becomes of them."""

    def redact(text: str, known: str = "") -> secrets.Redacted:
        found = []
        for kind, value in (("token", KEY), ("password", PASSWORD)):
            if value in text and value not in known:
                at = text.index(value)
                found.append(secrets.Secret(kind, at, at + len(value)))
                text = text.replace(value, f"[REDACTED:{kind}]")
        return secrets.Redacted(text, tuple(found))

    monkeypatch.setattr(secrets, "redact", redact)


FIELDS = (
    {"text": f"The key\nis {KEY}"},
    {"category": f"key {KEY}"},
    {"categories": ("ok", f"key {KEY}")},
    {"tags": ("ok", KEY)},
)


@pytest.mark.parametrize("fields", FIELDS, ids=lambda fields: next(iter(fields)))
def test_o16_it_is_refused_in_every_field_of_adding_and_editing(
    room: Room, fields: dict[str, object]
) -> None:
    entry = after(room.add("One"))
    tree = room.tree()
    for act in (lambda: room.add(**{"text": "Two", **fields}), lambda: room.edit(entry.id, **fields)):  # type: ignore[arg-type]
        with pytest.raises(SecretDetected) as caught:
            act()
        assert KEY not in repr((caught.value.message, caught.value.hint, caught.value.details))
    assert room.tree() == tree


@pytest.mark.parametrize("fields", FIELDS, ids=lambda fields: next(iter(fields)))
def test_it_is_redacted_and_its_kind_is_kept(room: Room, fields: dict[str, object]) -> None:
    added = room.add(**{"text": "Two", **fields}, secrets="redact")  # type: ignore[arg-type]
    assert (after(added).redactions, codes(added)) == (("token",), ["redacted"])
    assert room.file(after(added)).read_text().count("[REDACTED:token]") == 1
    room.change("delete", after(added).id)
    other = after(room.add("One"))
    edited = room.edit(other.id, **fields, secrets="redact")
    assert (after(edited).redactions, codes(edited)) == (("token",), ["redacted"])
    assert room.file(other).read_text().count("[REDACTED:token]") == 1
    assert KEY.encode() not in b"".join(room.tree().values())


def test_evidence_and_added_tags_are_looked_at_too(room: Room) -> None:
    evidence = ({"kind": "source", "ref": "a"}, {"agent": "codex", "line": 3, "quote": f"it is {KEY}"})
    with pytest.raises(SecretDetected, match="--evidence"):
        room.add("One", evidence=evidence)
    entry = after(room.add("One", evidence=evidence, secrets="redact"))
    assert entry.evidence[1] == {"agent": "codex", "line": 3, "quote": "it is [REDACTED:token]"}
    with pytest.raises(SecretDetected, match="--add-tag"):
        room.edit(entry.id, add_tags=(KEY,))


def test_kinds_add_up(room: Room) -> None:
    entry = after(room.add(f"One {KEY}", secrets="redact"))
    changed = after(room.edit(entry.id, text=f"Two {PASSWORD}", secrets="redact"))
    assert (changed.text, changed.redactions) == ("Two [REDACTED:password]", ("token", "password"))


def test_a_person_may_insist_and_what_is_there_is_not_added(room: Room) -> None:
    change = room.add(f"One {KEY}", secrets="keep")
    assert codes(change) == ["secret_kept"]
    entry = after(change)
    assert KEY in entry.text
    assert after(room.edit(entry.id, text=f"Two {KEY}")).redactions == ()
    with pytest.raises(SecretDetected):
        room.edit(entry.id, text=f"{KEY} {PASSWORD}")


def test_what_an_agent_adds_is_always_redacted(room: Room) -> None:
    change = room.add(f"One {KEY}", agent=True)
    entry = after(change)
    assert (entry.status, entry.text, entry.redactions) == (PENDING, "One [REDACTED:token]", ("token",))
    assert after(room.edit(entry.id, text=f"Two {KEY}", agent=True)).text == "Two [REDACTED:token]"
    with pytest.raises(ApprovalRequired):
        room.add(f"Three {KEY}", agent=True, secrets="keep")


def test_a_redacted_text_counts_as_remembered(room: Room) -> None:
    first = after(room.add(f"One {KEY}", secrets="redact"))
    change = room.add(f"one {KEY}", secrets="redact")
    assert (change.duplicate_of, codes(change)) == (first.id, [])
