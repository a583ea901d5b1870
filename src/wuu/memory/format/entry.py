"""One memory as a value, and as a file: frontmatter and text (ARCHITECTURE 2, "A memory").

Owns the format: which keys there are, in which order they are written, and how a file that breaks the rules
is read: as little privileged as it can be, and never as nothing. Keys that are not ours stay in the file.
docs/reference/memory-format.md says the same for people.
"""

from typing import Any, NamedTuple

from wuu.ids import sha256_hex
from wuu.memory.format.fields import LINK_PREFIX, NO_BLOCK, Fields, Flaw, Parts, clean_text, parse_parts
from wuu.memory.format.stored_json import render_json
from wuu.memory.shelves import Shelf
from wuu.text import document as md
from wuu.text.document import Field
from wuu.text.scalars import render_list, render_scalar

PENDING, SAVED, ARCHIVED = STATUSES = ("pending", "saved", "archived")
PROPOSERS = ("user", "agent", "dream", "extraction", "evolution", "import", "assistant")
LOW, MEDIUM, HIGH = SENSITIVITIES = ("low", "medium", "high")
LINK_KINDS = ("related", "supersedes", "supports", "conflicts")
DEFAULT_CATEGORY = "other"

MAX_TEXT_BYTES = 32_768
"""Longest text of a memory, in UTF-8 bytes, on every path (FACTS, "Other decisions")."""

LEAST_PRIVILEGED_STATUS = (ARCHIVED, PENDING, SAVED)
"""The statuses, beginning with the one that counts where a file or two files say several."""

LEAST_PRIVILEGED_SENSITIVITY = (HIGH, MEDIUM, LOW)
"""The sensitivities, in the same order."""

_LEAST_TRUSTED = ("extraction", "evolution", "import", "dream", "agent", "assistant", "user")
_KEYS = (
    *("status", "category", "categories", "tags", "pinned", "sensitivity", "confidence", "proposer"),
    *(
        "saved_in",
        "saved",
        "created",
        "updated",
        "verified",
        "evidence",
        "redactions",
        "classification",
        "proposal",
    ),
)


class Entry(NamedTuple):
    """A memory. Times are as in `times`, dates `YYYY-MM-DD`; None where the file does not say.

    `text` is as `clean_text` leaves it. `saved_in` is the session in which it was saved, whatever its scope,
    and `saved_at` when. `classification` is what a graph calls it besides. `proposal` is what the file says
    of a change that it proposes, {} where nobody can read that; None for a memory of its own.
    `links` are those that this file holds, as (other id, kind), by id. `problems` says in words which rules
    the file breaks; `digest` is the SHA-256 of its bytes.
    """

    id: str
    shelf: Shelf
    status: str
    text: str
    category: str = DEFAULT_CATEGORY
    categories: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    pinned: bool = False
    sensitivity: str = LOW
    confidence: float | None = None
    proposer: str = "user"
    saved_in: str | None = None
    created_at: str | None = None
    updated_at: str | None = None
    saved_at: str | None = None
    verified_at: str | None = None
    evidence: tuple[dict[str, Any], ...] = ()
    redactions: tuple[str, ...] = ()
    classification: str | None = None
    proposal: dict[str, Any] | None = None
    links: tuple[tuple[str, str], ...] = ()
    digest: str = ""
    problems: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        """Where it is inside the home."""
        return self.shelf.path(self.id)

    @property
    def proposes_change(self) -> bool:
        """Whether it stands for a change of another memory; the key says nothing in one that is saved."""
        return self.proposal is not None and self.status != SAVED

    @property
    def all_categories(self) -> tuple[str, ...]:
        """Its category, then the further ones."""
        return (self.category, *self.categories)


def parse_entry(memory_id: str, shelf: Shelf, text: str) -> Entry:
    """Return the memory in `text`, the whole file; what breaks a rule is read in the least privileged way.

    Without a known status it is pending; a pin counts only on a saved one; an unknown sensitivity is high.
    """
    return examine_entry(memory_id, shelf, text)[0]


def find_status(text: str) -> str:
    """Return the status that `parse_entry` finds in `text`, and nothing else of it."""
    parts = parse_parts(text)
    return _status(Fields(parts, ()), parts)


def render_entry(entry: Entry) -> str:
    """Return the file of a new memory: its keys in their order, a blank line, the text and a newline."""
    lines = "".join(f"{key}: {value}\n" for key, value in rendered_keys(entry).items() if value is not None)
    return f"---\n{lines}---\n\n{clean_text(entry.text)}\n"


def edited_entry(text: str, old: Entry, new: Entry) -> str:
    """Return `text`, the file of `old`, changed to say what `new` says; every other byte stays.

    Only where a line that was left alone would now say something else, it is changed as well: `pinned: true`
    has no effect in a pending memory, and must get none by its approval. A file just as wuu writes it stays
    one.
    """
    if text == render_entry(old):
        return render_entry(new)
    wanted = rendered_keys(new)
    text = _with_keys(text, rendered_keys(old), wanted)
    if new.text != old.text:
        text = _with_text(text, clean_text(new.text))
    for _ in range(2):
        found = rendered_keys(parse_entry(new.id, new.shelf, text))
        if found == wanted:
            return text
        text = _with_keys(text, found, wanted)
    document = md.parse_document(text)
    stale = {key: "" if md.find_field(document, key) else value for key, value in wanted.items()}
    return _with_keys(text, stale, wanted)


def rendered_keys(entry: Entry) -> dict[str, str | None]:
    """Return every key of ours with its value as it stands in a file, None where it is left out."""
    values = (
        entry.status,
        render_scalar(entry.category),
        _list_or_none(entry.categories),
        _list_or_none(entry.tags),
        "true" if entry.pinned else None,
        None if entry.sensitivity == LOW else entry.sensitivity,
        None if entry.confidence is None else repr(entry.confidence),
        entry.proposer,
        None if entry.saved_in is None else render_scalar(entry.saved_in),
        entry.saved_at,
        entry.created_at,
        entry.updated_at,
        entry.verified_at,
        render_json(list(entry.evidence)) if entry.evidence else None,
        _list_or_none(entry.redactions),
        None if entry.classification is None else render_scalar(entry.classification),
        None if entry.proposal is None else render_json(entry.proposal),
    )
    keys = dict(zip(_KEYS, values, strict=True))
    return keys | {f"{LINK_PREFIX}{other}": kind for other, kind in sorted(entry.links)}


def examine_entry(memory_id: str, shelf: Shelf, text: str) -> tuple[Entry, list[Flaw]]:
    """Return what `parse_entry` returns, and the rules that the file breaks; `problems` are their words."""
    parts = parse_parts(text)
    fields = Fields(parts, _KEYS)
    status = _status(fields, parts)
    entry = Entry(
        memory_id,
        shelf,
        status,
        _text(fields, parts.text),
        category=fields.text("category") or DEFAULT_CATEGORY,
        categories=fields.list("categories"),
        tags=fields.list("tags"),
        pinned=_pinned(fields, status),
        sensitivity=_sensitivity(fields),
        confidence=fields.share("confidence"),
        proposer=fields.choice("proposer", _LEAST_TRUSTED, "agent") or "user",
        saved_in=fields.text("saved_in"),
        saved_at=fields.time("saved"),
        created_at=fields.time("created"),
        updated_at=fields.time("updated"),
        verified_at=fields.date("verified"),
        evidence=_evidence(fields),
        redactions=fields.list("redactions"),
        classification=fields.text("classification"),
        proposal=_proposal(fields),
        links=fields.links(LINK_KINDS, memory_id),
        digest=sha256_hex(text.encode("utf-8", "surrogatepass")),
        problems=tuple(flaw.words for flaw in fields.flaws),  # the last, when all of them are known
    )
    return entry, fields.flaws


def _status(fields: Fields, parts: Parts) -> str:
    status = fields.choice("status", LEAST_PRIVILEGED_STATUS, PENDING)
    if status is None:
        fields.flaw("it has no status" if parts.has_block else NO_BLOCK)
        return PENDING
    if "\0" in parts.text:
        fields.flaw("its text holds NUL characters, as after a crash, so it waits for approval")
        return min(status, PENDING, key=LEAST_PRIVILEGED_STATUS.index)
    return status


def _text(fields: Fields, text: str) -> str:
    if not text or text.isspace():
        fields.flaw("it has no text")
    elif len(text) * 4 > MAX_TEXT_BYTES and len(text.encode("utf-8", "surrogatepass")) > MAX_TEXT_BYTES:
        fields.flaw(f"its text is longer than {MAX_TEXT_BYTES:,} bytes")
    return text


def _pinned(fields: Fields, status: str) -> bool:
    if not fields.flag("pinned"):
        return False
    if status != SAVED:
        fields.flaw(f"it is pinned and {status}; only saved memories are pinned", "pinned")
    return status == SAVED


def _sensitivity(fields: Fields) -> str:
    """Return the sensitivity; what cannot be told by its categories is kept like what is highly sensitive."""
    told = fields.choice("sensitivity", LEAST_PRIVILEGED_SENSITIVITY, HIGH) or LOW
    return HIGH if any(flaw.key in ("category", "categories") for flaw in fields.flaws) else told


def _evidence(fields: Fields) -> tuple[dict[str, Any], ...]:
    found = fields.json("evidence", list, [])
    kept = tuple(one for one in found if isinstance(one, dict))
    if len(kept) < len(found):
        fields.flaw("evidence holds what is no JSON object", "evidence")
    return kept


def _proposal(fields: Fields) -> dict[str, Any] | None:
    """Return what is proposed, and {} for what cannot be read: nobody may approve that as something else."""
    flaws = len(fields.flaws)
    found: dict[str, Any] | None = fields.json("proposal", dict, None)
    return {} if found is None and len(fields.flaws) > flaws else found


def _with_keys(text: str, before: dict[str, str | None], after: dict[str, str | None]) -> str:
    """Return the file `text` with every key changed in which `after` differs from `before`."""
    for key in {**before, **after}:
        value = after.get(key)
        if value == before.get(key):
            continue
        if value is None:
            text = md.without_field(text, key)
        else:
            text = md.with_field(_without_doubles(text, key), key, value)
    return text


def _without_doubles(text: str, key: str) -> str:
    """Return `text` without the lines of `key` that do not count, as they would count less after a change."""
    document = md.parse_document(text)
    counting = md.find_field(document, key)
    doubles = [one for one in document.fields if _answers(one, key) and one != counting]
    for one in reversed(doubles):
        text = text[: one.start] + text[one.end :]
    return text


def _answers(field: Field, key: str) -> bool:
    return field.key == key and field.parent in (None, md.NESTING_KEY)


def _with_text(text: str, body: str) -> str:
    """Return the file `text` with `body` in it, between the blank lines and with the line ending it has."""
    document = md.parse_document(text)
    newline = document.newline
    inner = document.body.strip("\r\n")
    begin, _, end = document.body.partition(inner) if inner else (newline, "", newline)
    if not document.has_block and _would_open(body):
        begin = newline
    return md.with_body(text, begin + body.replace("\n", newline) + end)


def _would_open(body: str) -> bool:
    """Tell whether a file that begins with `body` would not have all of it as its text."""
    return body.startswith(md.BOM) or md.parse_document(body).has_block


def _list_or_none(values: tuple[str, ...]) -> str | None:
    return render_list(values) if values else None
