"""What a request makes of a memory, as values: a new one, or one with other fields. Reads and writes nothing.

Every field goes through `guards` here, so that adding and editing have the same limits (case O-16).
"""

from wuu.errors import Caveat
from wuu.memory.categories import fold_category
from wuu.memory.format.entry import LOW, PENDING, SAVED, Entry
from wuu.memory.shelves import Shelf
from wuu.memory.values import AddMemory, EditMemory
from wuu.memory.writing import guards, lifecycle
from wuu.memory.writing.screening import ScreenedAdd
from wuu.situation.caller import Caller
from wuu.text.normalise import duplicate_key

_PERSON, _AGENT = "user", "agent"


def new_entry(memory_id: str, shelf: Shelf, screened: ScreenedAdd, caller: Caller, now: str) -> Entry:
    """Return the memory that a request asks for: a person's is saved, an agent's waits.

    Raises:
        UsageProblem: A field is not valid.
        TooLarge: The text has more than 32,768 bytes.
    """
    request = screened.request
    guards.check_values(request.sensitivity, request.confidence, request.verified)
    category = guards.checked_category(request.category)
    return Entry(
        memory_id,
        shelf,
        PENDING if caller.is_agent else SAVED,
        guards.checked_text(request.text),
        category=category,
        categories=guards.checked_categories(request.categories, category),
        tags=guards.checked_tags(request.tags),
        pinned=request.pinned,
        sensitivity=request.sensitivity or LOW,
        confidence=request.confidence,
        proposer=_AGENT if caller.is_agent else _PERSON,
        saved_in=None if caller.is_agent else caller.session,
        created_at=now,
        updated_at=now,
        saved_at=None if caller.is_agent else now,
        verified_at=request.verified or None,
        evidence=guards.checked_evidence(request.evidence),
        redactions=screened.redactions,
        classification=request.classification,
    )


def clean_fields(entry: Entry) -> Entry:
    """Return what waits as it may be saved: the checks of adding, for a file that anybody may have edited.

    Raises:
        UsageProblem: A field is not valid.
        TooLarge: The text has more than 32,768 bytes (case O-16).
    """
    category = guards.checked_category(entry.category)
    return entry._replace(
        text=guards.checked_text(entry.text),
        category=category,
        categories=guards.checked_categories(entry.categories, category),
        tags=guards.checked_tags(entry.tags),
        evidence=guards.checked_evidence(entry.evidence),
    )


def edited(entry: Entry, request: EditMemory) -> Entry:
    """Return a memory with the fields of a request; its shelf stays.

    Raises:
        UsageProblem: A field is not valid.
        TooLarge: The text has more than 32,768 bytes.
        Refused: Only saved memories are pinned.
    """
    guards.check_values(request.sensitivity, request.confidence, request.verified)
    if request.text is not None:
        entry = entry._replace(text=guards.checked_text(request.text))
    if request.sensitivity is not None:
        entry = entry._replace(sensitivity=request.sensitivity)
    if request.confidence is not None:
        entry = entry._replace(confidence=request.confidence)
    if request.classification is not None:
        entry = entry._replace(classification=request.classification)
    if request.verified is not None:
        entry = entry._replace(verified_at=request.verified or None)
    return _pinned(_labelled(entry, request), pinned=request.pinned)


def left_alone(known: Entry, wanted: AddMemory) -> tuple[Caveat, ...]:
    """Return what of a request to add was not done, as its text is in the memory `known` already."""
    if not _differs(known, wanted):
        return ()
    note = f"Its other fields stay as they were: wuu memory edit {known.id} changes them."
    return (Caveat("fields_left_alone", note, {"id": known.id}),)


def _labelled(entry: Entry, request: EditMemory) -> Entry:
    """Return a memory with other categories and tags."""
    if request.category is not None or request.categories is not None:
        first = entry.category if request.category is None else guards.checked_category(request.category)
        further = entry.categories if request.categories is None else request.categories
        categories = guards.checked_categories(further, first)
        entry = entry._replace(category=first, categories=categories)
    if request.tags is not None or request.add_tags or request.remove_tags:
        tags = entry.tags if request.tags is None else request.tags
        gone = {duplicate_key(tag) for tag in request.remove_tags}
        kept = [tag for tag in (*tags, *request.add_tags) if duplicate_key(tag) not in gone]
        entry = entry._replace(tags=guards.checked_tags(kept))
    return entry


def _pinned(entry: Entry, *, pinned: bool | None) -> Entry:
    if pinned:
        return lifecycle.pinned(entry).entry
    return entry if pinned is None else entry._replace(pinned=False)


def _differs(known: Entry, wanted: AddMemory) -> bool:
    categories = {fold_category(one) for one in known.all_categories}
    asked = (*wanted.categories, *(() if wanted.category is None else (wanted.category,)))
    tags = {duplicate_key(tag) for tag in known.tags}
    values = (
        (wanted.sensitivity, known.sensitivity),
        (wanted.confidence, known.confidence),
        (wanted.verified, known.verified_at),
    )
    return (
        (wanted.pinned and not known.pinned)
        or not {fold_category(one) for one in asked} <= categories
        or not {duplicate_key(tag) for tag in wanted.tags} <= tags
        or any(asked_for not in (None, has) for asked_for, has in values)
    )
