"""Policies changed: lines of memoryPolicies in `settings.json`, set or taken away in one commit.

Owns where a policy is written and that one line a category counts; the file stays as people wrote it but for
those lines. Which categories there are, and which spellings are one, is handed in (`memory/categories.py`).
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from wuu.errors import ApprovalRequired, Caveat, SettingsInvalid, TooLarge
from wuu.situation.settings import POLICY_TABLE as TABLE
from wuu.situation.settings import PROJECTS, SETTINGS_FILE, parse_settings
from wuu.situation.settings_writing import check_syntax, project_keys
from wuu.situation.situation import Situation
from wuu.situation.writing import WriteOptions, Written, refuse_read_only, write
from wuu.store import files
from wuu.store.changes import ChangeSet, change
from wuu.store.home import Home, open_home
from wuu.text.json_edit import with_member, without_member

_EMPTY = "{}\n"

Counts = Callable[[str, str], bool]
"""Whether a key of the table (second) is a spelling of a category (first)."""


class PolicyWord(NamedTuple):
    """What is said of one category, by its id; `policy` None takes back what was said before."""

    category: str
    default: str
    policy: str | None = None


class ChangePolicies(NamedTuple):
    """The words, in order; with `everything` all that was said before is taken back first.

    They are said of the project at `root`, or of all with None.
    """

    words: tuple[PolicyWord, ...]
    everything: bool = False
    root: str | None = None


class PolicyChange(NamedTuple):
    """What holds after a change for the project of the call: the table, and the origin of each key in it."""

    policies: Mapping[str, str]
    origins: Mapping[str, str]
    path: str
    caveats: tuple[Caveat, ...]


def change_policies(
    situation: Situation,
    words: Sequence[PolicyWord],
    counts: Counts,
    options: WriteOptions,
    *,
    project: bool,
    everything: bool = False,
) -> Written[PolicyChange]:
    """Say what becomes of proposals; with `project` for the project of this call alone.

    Raises:
        ReadOnlyMode: wuu runs read-only, and this is no dry run.
        ApprovalRequired: An agent asks (FACTS, "Who is asking").
        Refused: `project`, and there is none.
        WuuError: See `plan_policies`.
    """
    verb = "set" if any(word.policy for word in words) else "reset"
    if not options.dry_run:
        refuse_read_only(situation)
    if situation.caller.is_agent:
        hint = f"Ask them to run wuu memory policy {verb}."
        raise ApprovalRequired("Only a person changes policies.", hint=hint)
    root = situation.get_workspace().root if project else None
    request = ChangePolicies(tuple(words), everything, root)
    here = situation.workspace.root
    return write(
        situation,
        open_home(situation.home),
        lambda current: plan_policies(current, request, counts, here),
        options,
        command=f"memory policy {verb}",
        asked=request,
    )


def plan_policies(
    home: Home, request: ChangePolicies, counts: Counts, here: str | None
) -> ChangeSet[PolicyChange]:
    """Plan the change; `here` is the root of the project of the call, None without one.

    A policy that is what would hold without it is not written: for all projects the default, for one project
    what the general table says. A value of a wrong type elsewhere in the file is no obstacle.

    Raises:
        SettingsInvalid: The file is no JSON object, or memoryPolicies or the overrides are none.
        NotUtf8, TooLarge, UnsafeFile, IoProblem: The file cannot be read, or would be too large.
    """
    data, path = home.read(SETTINGS_FILE), home.place(SETTINGS_FILE)
    text = _EMPTY if data is None else files.decode(data, path)
    check_syntax(text, path)
    try:
        edited = _edited(text, request, counts)
    except ValueError as error:
        raise SettingsInvalid(f"{path}: {error}.", file=path) from error
    after = data if edited == text else edited.encode()
    if after is not None and len(after) > files.MAX_FILE_BYTES:
        note = f"{path} would have more than {files.MAX_FILE_BYTES:,} bytes."
        raise TooLarge(note, limit=files.MAX_FILE_BYTES)
    changes = () if after == data else (change(SETTINGS_FILE, data, after),)
    return ChangeSet(changes, _outcome(edited, path, here))


def _edited(text: str, request: ChangePolicies, counts: Counts) -> str:
    if request.everything:
        for place in _places(text, request.root):
            text = without_member(text, place)
    for word in request.words:
        text = _said(text, word, request.root, counts)
    return text


def _said(text: str, word: PolicyWord, root: str | None, counts: Counts) -> str:
    """Return `text` with one line for the category of `word`, or none where none is needed."""
    places = _places(text, root)
    line = (*(places[-1] if places else (PROJECTS, root or "", TABLE)), word.category)
    is_needed = word.policy is not None and word.policy != _without(text, word, root, counts)
    if is_needed:
        text = with_member(text, line, word.policy)
    for other in _lines(text, places, word.category, counts):
        if not (is_needed and other == line):
            text = without_member(text, other)
    return text


def _without(text: str, word: PolicyWord, root: str | None, counts: Counts) -> Any:
    """Return the policy that holds where the place of `root` says none."""
    if root is None:
        return word.default
    table = _table(text, (TABLE,))
    said = [policy for key, policy in table.items() if counts(word.category, key)]
    return said[-1] if said else word.default


def _places(text: str, root: str | None) -> list[tuple[str, ...]]:
    """Return where the table of all projects is, or the tables of the project at `root`, the last to win."""
    if root is None:
        return [(TABLE,)]
    return [(PROJECTS, key, TABLE) for key in project_keys(text, root)]


def _lines(
    text: str, places: Sequence[tuple[str, ...]], category: str, counts: Counts
) -> Iterator[tuple[str, ...]]:
    """Yield where a category stands in `text`, in any spelling."""
    for place in places:
        yield from ((*place, key) for key in _table(text, place) if counts(category, key))


def _table(text: str, place: Sequence[str]) -> Mapping[str, Any]:
    """Return the table at `place`, empty where there is none."""
    found = json.loads(text.removeprefix("\ufeff"))
    for key in place:
        found = found.get(key, {}) if isinstance(found, dict) else {}
    return found if isinstance(found, dict) else {}


def _outcome(text: str, path: str, here: str | None) -> PolicyChange:
    """Return what holds once the file is `text`, which another key may still keep from being used."""
    try:
        settings = parse_settings(text, path, here)
    except SettingsInvalid as error:
        table = {key: str(policy) for key, policy in _table(text, (TABLE,)).items()}
        caveat = Caveat(error.code, error.message, error.details)
        return PolicyChange(table, dict.fromkeys(table, SETTINGS_FILE), path, (caveat,))
    table = dict(settings.table(TABLE))
    origins = {key: settings.origin(f"{TABLE}.{key}") for key in table}
    return PolicyChange(table, origins, path, settings.caveats)
