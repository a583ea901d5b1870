"""What a person typed last in a session, as a keyed digest: the proof that consent needs, and no text.

FACTS, "Who is asking"; seed 002, "Memory consent and notices". The hook for prompts leaves one file per
session under `state/prompts/`, without the lock of the home. It may be lost or damaged; then a memory waits.
A proof is used up by the transaction that saves the memory.
"""

import json
import unicodedata
from typing import NamedTuple

from wuu.clock import rfc3339
from wuu.errors import IoProblem, TooLarge, UnsafeFile
from wuu.situation.caller import Caller, plain_name_problem
from wuu.store.changes import Change, change
from wuu.store.files import fit_name
from wuu.store.home import STATE, Home, read_home_id
from wuu.store.state import write_state

MAX_AGE_SECONDS = 12 * 3600
"""A prompt that is older proves nothing."""

_KIND = "prompts"
_MAX_BYTES = 4_096
_SKEW_SECONDS = 60
_UNREADABLE = (IoProblem, TooLarge, UnsafeFile)


class Prompt(NamedTuple):
    """The last prompt of a session; `agent_id` is None for the main agent, `written` the file's bytes."""

    digest: str
    at: str
    used: bool
    agent_id: str | None
    written: bytes


def keep_prompt(home: Home, session: str, text: str, *, now: float, agent_id: str | None = None) -> None:
    """Keep the digest of what was just typed in `session`, at `now` in seconds since the epoch.

    Takes no lock and fails silently; does nothing where there is no home, or the session is no plain name.
    """
    try:
        known = read_home_id(home)
    except _UNREADABLE:
        return
    if known is None or not _is_session(session):
        return
    prompt = Prompt(_keyed_digest(known, text), rfc3339(now), False, agent_id, b"")
    write_state(home, _KIND, _file_name(session), _render(prompt))


def find_prompt(home: Home, session: str) -> Prompt | None:
    """Return what is known of the last prompt of `session`; None if nothing is, or its file is damaged."""
    if not _is_session(session):
        return None
    try:
        data = home.read(_path(session), limit=_MAX_BYTES, follow=False)
    except _UNREADABLE:
        return None
    return None if data is None else _parse(data)


def prompt_digest(home: Home, text: str) -> str:
    """Return the digest of `text`, keyed with the id of the home; case counts, white space does not.

    Raises:
        UnsafeFile, TooLarge, IoProblem: The description of the home cannot be read.
    """
    return _keyed_digest(read_home_id(home) or "", text)


def is_proven(home: Home, caller: Caller, message: str, now: float) -> Prompt | None:
    """Return the prompt which proves that a person typed `message` last in the session of `caller`.

    None unless the prompt was typed to the main agent, at most 12 hours before `now` (seconds since the
    epoch), and has allowed no write yet.
    """
    prompt = find_prompt(home, caller.session) if caller.session is not None else None
    if prompt is None or prompt.used or prompt.agent_id is not None or not _is_recent(prompt.at, now):
        return None
    try:
        known = read_home_id(home)
    except _UNREADABLE:
        return None
    if known is None:
        return None
    from hmac import compare_digest  # noqa: PLC0415  (costs start-up time)

    return prompt if compare_digest(prompt.digest.encode(), _keyed_digest(known, message).encode()) else None


def plan_use(home: Home, session: str, prompt: Prompt) -> Change:  # noqa: ARG001  (one shape for all plans)
    """Plan that `prompt` allows no other write; a prompt typed meanwhile makes the change fail."""
    return change(_path(session), prompt.written, _render(prompt._replace(used=True)))


def _is_session(session: str) -> bool:
    return bool(session) and plain_name_problem(session) is None


def _path(session: str) -> str:
    return f"{STATE}/{_KIND}/{_file_name(session)}"


def _file_name(session: str) -> str:
    stem, ending = fit_name(session, room=len(".json")), ".json"
    return stem + ending


def _keyed_digest(key: str, text: str) -> str:
    import hmac  # noqa: PLC0415  (costs start-up time)

    lines = (" ".join(line.split()) for line in unicodedata.normalize("NFC", text).splitlines())
    plain = "\n".join(line for line in lines if line)  # lines count: code and quotes are known by them
    return hmac.new(
        key.encode("utf-8", "surrogatepass"), plain.encode("utf-8", "surrogatepass"), "sha256"
    ).hexdigest()


def _render(prompt: Prompt) -> bytes:
    fields = {"digest": prompt.digest, "at": prompt.at, "used": prompt.used, "agent_id": prompt.agent_id}
    return (json.dumps(fields) + "\n").encode()


def _parse(data: bytes) -> Prompt | None:
    try:
        fields = json.loads(data)
        digest, at, used, agent_id = (fields[name] for name in ("digest", "at", "used", "agent_id"))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    sound = isinstance(digest, str) and isinstance(at, str) and isinstance(used, bool)
    if not sound or not (agent_id is None or isinstance(agent_id, str)):
        return None
    return Prompt(digest, at, used, agent_id, data)


def _is_recent(at: str, now: float) -> bool:
    """Tell whether `at` is at most 12 hours ago, and not in the future but for a clock that was set back."""
    oldest, newest = rfc3339(now - MAX_AGE_SECONDS), rfc3339(now + _SKEW_SECONDS)
    return len(at) == len(oldest) and oldest <= at <= newest
