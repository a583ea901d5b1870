"""What of a request is text that somebody adds, so that no credential gets into a memory unseen.

Owns which parts are looked at; the decision is `situation/credentials.py`. What an agent adds is a proposal,
and there a credential is always redacted (FACTS, "Other decisions").
"""

from typing import Any, NamedTuple

from wuu.errors import Caveat
from wuu.memory.format.entry import Entry
from wuu.memory.values import AddMemory, EditMemory
from wuu.situation.caller import Caller
from wuu.situation.credentials import REDACT, REFUSE, Part, screen

_REDACTED = "redacted"


class ScreenedAdd(NamedTuple):
    """The request as it may be carried out, the kinds of credentials redacted in it, what to say of them."""

    request: AddMemory
    redactions: tuple[str, ...]
    caveats: tuple[Caveat, ...]


class ScreenedEdit(NamedTuple):
    """The same for an edit; `redactions` are those of the memory, old and new."""

    request: EditMemory
    redactions: tuple[str, ...]
    caveats: tuple[Caveat, ...]


def screened_add(request: AddMemory, handling: str, caller: Caller) -> ScreenedAdd:
    """Return what may be added.

    Raises:
        SecretDetected: It holds a credential, and `handling` does not allow that.
        ApprovalRequired: An agent asks to keep one.
    """
    parts = [Part("the text", request.text), Part("--category", request.category or "")]
    parts += [Part("--category", category) for category in request.categories]
    parts += [Part("--tag", tag) for tag in request.tags]
    places = [
        (at, key) for at, one in enumerate(request.evidence) for key in one if isinstance(one[key], str)
    ]
    parts += [Part("--evidence", request.evidence[at][key]) for at, key in places]
    texts, caveats = screen(parts, _handling(handling, caller), caller)
    text, category, *rest = texts
    categories, tags, refs = _split(rest, len(request.categories), len(request.tags))
    evidence = [dict(one) for one in request.evidence]
    for (at, key), ref in zip(places, refs, strict=True):
        evidence[at][key] = ref
    safe = request._replace(
        text=text,
        category=category if request.category is not None else None,
        categories=categories,
        tags=tags,
        evidence=tuple(evidence),
    )
    return ScreenedAdd(safe, _kinds(caveats, ()), caveats)


def screened_evidence(
    evidence: tuple[dict[str, Any], ...], caller: Caller
) -> tuple[tuple[dict[str, Any], ...], tuple[Caveat, ...]]:
    """Return evidence of a proposal without credentials, and what is said of them."""
    request, _, caveats = screened_add(AddMemory("", "", evidence=evidence), REDACT, caller)
    return request.evidence, caveats


def screened_edit(request: EditMemory, entry: Entry, handling: str, caller: Caller) -> ScreenedEdit:
    """Return what may become of `entry`; what it holds already is not added.

    Raises:
        SecretDetected: A credential is added, and `handling` does not allow that.
        ApprovalRequired: An agent asks to keep one.
    """
    known = "\n".join((*entry.all_categories, *entry.tags))
    parts = [Part("the text", request.text or "", known=entry.text)]
    parts.append(Part("--category", request.category or "", known=known))
    lists = (request.categories or (), request.tags or (), request.add_tags)
    options = ("--category", "--tag", "--add-tag")
    parts += [
        Part(option, value, known=known)
        for option, values in zip(options, lists, strict=True)
        for value in values
    ]
    texts, caveats = screen(parts, _handling(handling, caller), caller)
    text, category, *rest = texts
    categories, tags, added = _split(rest, len(lists[0]), len(lists[1]))
    safe = request._replace(
        text=None if request.text is None else text,
        category=None if request.category is None else category,
        categories=None if request.categories is None else categories,
        tags=None if request.tags is None else tags,
        add_tags=added,
    )
    return ScreenedEdit(safe, _kinds(caveats, entry.redactions), caveats)


def refuse_secrets(after: Entry, before: Entry | None, handling: str, caller: Caller) -> None:
    """Refuse to approve a credential that is in neither the memory that is changed nor redacted.

    Raises:
        SecretDetected: There is one, and `handling` is not to keep it.
    """
    known = "" if before is None else "\n".join((before.text, *before.all_categories, *before.tags))
    parts = [Part("the text", after.text, known=known)]
    parts += [Part("--category", category, known=known) for category in after.all_categories]
    parts += [Part("--tag", tag, known=known) for tag in after.tags]
    screen(parts, handling, caller)


def _handling(handling: str, caller: Caller) -> str:
    return REDACT if caller.is_agent and handling == REFUSE else handling


def _split(texts: list[str], first: int, second: int) -> tuple[tuple[str, ...], ...]:
    return tuple(texts[:first]), tuple(texts[first : first + second]), tuple(texts[first + second :])


def _kinds(caveats: tuple[Caveat, ...], known: tuple[str, ...]) -> tuple[str, ...]:
    """Return the kinds of what was redacted, each once, behind those that are known."""
    found = [one["kind"] for caveat in caveats if caveat.code == _REDACTED for one in caveat.details["found"]]
    return tuple(dict.fromkeys((*known, *found)))
