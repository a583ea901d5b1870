"""Credentials in what somebody adds: refused, redacted or kept, before anything is written.

Owns the decision of FACTS, "A credential in what a person adds"; what a credential looks like is
`text/secrets.py`. No message, detail or error of this module ever repeats one.
"""

from collections.abc import Sequence
from typing import NamedTuple

from wuu.errors import ApprovalRequired, Caveat, SecretDetected
from wuu.situation.caller import Caller

REFUSE, REDACT, KEEP = "refuse", "redact", "keep"
_NAMED = 5


class Part(NamedTuple):
    """A piece of what is added: `where` names it in a sentence ("the text", "--name").

    A credential that `known` holds as well was there before and is not added. A `rigid` part cannot be
    redacted: a file name, say.
    """

    where: str
    text: str
    known: str = ""
    rigid: bool = False


class Screened(NamedTuple):
    """The texts of the parts as they may be stored, in order, and what to say about it."""

    texts: tuple[str, ...]
    caveats: tuple[Caveat, ...]


class _Found(NamedTuple):
    where: str
    line: int
    kind: str
    rigid: bool


def screen(parts: Sequence[Part], handling: str, caller: Caller) -> Screened:
    """Return the texts of `parts`, with credentials handled as `handling` says.

    Raises:
        SecretDetected: There is one, and it may neither be redacted nor kept; `details["redactable"]` says
            whether redacting would do.
        ApprovalRequired: An agent asks to keep one: only a person can insist.
    """
    from wuu.text.secrets import redact  # noqa: PLC0415  (only what adds text needs the rules)

    found: list[_Found] = []
    texts = []
    for part in parts:
        redacted = redact(part.text, known=part.known)
        found += [
            _Found(part.where, part.text.count("\n", 0, one.start) + 1, one.kind, part.rigid)
            for one in redacted.found
        ]
        texts.append(redacted.text if handling == REDACT and not part.rigid else part.text)
    if not found:
        return Screened(tuple(part.text for part in parts), ())
    if handling == KEEP and caller.is_agent:
        hint = "Ask them to run the command themselves, or add --redact."
        raise ApprovalRequired("Only a person may keep a credential.", hint=hint)
    refused = [one for one in found if handling == REFUSE or (handling == REDACT and one.rigid)]
    if refused:
        raise _detected(found)
    return Screened(tuple(texts), (_caveat(found, handling),))


def holds_secret(text: str) -> bool:
    """Tell whether `text` holds what looks like a credential."""
    from wuu.text.secrets import find_secrets  # noqa: PLC0415  (see `screen`)

    return bool(find_secrets(text))


def _detected(found: Sequence[_Found]) -> SecretDetected:
    redactable = not any(one.rigid for one in found)
    hint = "Nothing was written. --redact stores a mark in its place, --allow-secret keeps it as it is."
    if not redactable:
        hint = "Nothing was written. Give another name; --allow-secret keeps it as it is."
    return SecretDetected(
        f"This looks like a credential: {_described(found)}.",
        hint=hint,
        count=len(found),
        found=_listed(found),
        redactable=redactable,
    )


def _caveat(found: Sequence[_Found], handling: str) -> Caveat:
    details = {"count": len(found), "found": _listed(found)}
    if handling == REDACT:
        return Caveat("redacted", f"Redacted before it was stored: {_described(found)}.", details)
    return Caveat("secret_kept", f"Kept because you insist: {_described(found)}.", details)


def _described(found: Sequence[_Found]) -> str:
    named = [f"{one.kind} in {one.where}, line {one.line}" for one in found[:_NAMED]]
    more = len(found) - len(named)
    return "; ".join(named) + (f"; and {more} more" if more else "")


def _listed(found: Sequence[_Found]) -> list[dict[str, object]]:
    return [{"where": one.where, "line": one.line, "kind": one.kind} for one in found]
