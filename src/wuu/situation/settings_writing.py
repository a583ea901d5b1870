"""Settings changed: one key of `settings.json` set or removed, for all projects or for one.

Owns who may do that and which keys may be overridden; the file stays as people wrote it but for that key
(`text/json_edit.py`). What the keys mean and may hold is in `settings.py`.
"""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from wuu.errors import ApprovalRequired, Caveat, SettingsInvalid, TooLarge, UsageProblem
from wuu.situation.settings import (
    BY_NAME,
    PROJECTS,
    SETTINGS_FILE,
    Setting,
    is_at,
    parse_settings,
    value_problem,
)
from wuu.situation.situation import Situation
from wuu.situation.writing import WriteOptions, Written, refuse_read_only, write
from wuu.store import files
from wuu.store.changes import ChangeSet, change
from wuu.store.home import Home, open_home
from wuu.text.json_edit import with_member, without_member

_EMPTY = "{}\n"


class ChangeSetting(NamedTuple):
    """Set `name` to `value`, or remove it with `unset`; for the project at `root`, or for all with None."""

    name: str
    value: Any = None
    unset: bool = False
    root: str | None = None


class SettingChange(NamedTuple):
    """What a setting is now, for the project of the call; `origin` is that of `Settings.origin`."""

    name: str
    value: Any
    origin: str
    path: str
    caveats: tuple[Caveat, ...]


def get_setting(name: str) -> Setting:
    """Return the row of the table for `name`.

    Raises:
        UsageProblem: There is none; the nearest name is told.
    """
    if name in BY_NAME:
        return BY_NAME[name]
    from difflib import get_close_matches  # noqa: PLC0415  (see `settings`)

    folded = {known.casefold(): known for known in BY_NAME}
    near = get_close_matches(name.casefold(), folded, n=1)
    hint = f"Did you mean {folded[near[0]]}?" if near else "wuu memory config list shows them all."
    raise UsageProblem(f"{name} is no setting.", hint=hint, name=name)


def change_setting(
    situation: Situation, name: str, value: Any, options: WriteOptions, *, project: bool, unset: bool = False
) -> Written[SettingChange]:
    """Set a setting, or with `unset` remove it; with `project` for the project of this call alone.

    Raises:
        ReadOnlyMode: wuu runs read-only, and this is no dry run.
        ApprovalRequired: An agent asks (FACTS, "Who is asking").
        Refused: `project`, and there is none.
        WuuError: See `plan_setting`.
    """
    if not options.dry_run:
        refuse_read_only(situation)
    if situation.caller.is_agent:
        hint = f"Ask them to run wuu memory config {'unset' if unset else 'set'} {name}."
        raise ApprovalRequired("Only a person changes settings.", hint=hint)
    request = ChangeSetting(name, value, unset, situation.get_workspace().root if project else None)
    here = situation.workspace.root
    return write(
        situation,
        open_home(situation.home),
        lambda current: plan_setting(current, request, here),
        options,
        command=f"memory config {'unset' if unset else 'set'}",
        asked=request,
    )


def plan_setting(home: Home, request: ChangeSetting, here: str | None) -> ChangeSet[SettingChange]:
    """Plan the change of one setting; `here` is the root of the project of the call, None without one.

    A value of a wrong type elsewhere in the file is no obstacle: it is mended one key at a time.

    Raises:
        UsageProblem: No such setting, or it does not fit into this place, or the value does not fit.
        SettingsInvalid: The file is no JSON object, or its overrides are none.
        NotUtf8, TooLarge, UnsafeFile, IoProblem: The file cannot be read, or would be too large.
    """
    _check(request)
    data = home.read(SETTINGS_FILE)
    path = home.place(SETTINGS_FILE)
    text = _EMPTY if data is None else files.decode(data, path)
    check_syntax(text, path)
    try:
        edited = _edited(text, request)
    except ValueError as error:
        raise SettingsInvalid(f"{path}: {error}.", file=path) from error
    after = None if data is None and request.unset else edited.encode()
    if after is not None and len(after) > files.MAX_FILE_BYTES:
        note = f"{path} would have more than {files.MAX_FILE_BYTES:,} bytes."
        raise TooLarge(note, limit=files.MAX_FILE_BYTES)
    changes = () if after == data else (change(SETTINGS_FILE, data, after),)
    return ChangeSet(changes, _outcome(edited, path, request, here))


def _check(request: ChangeSetting) -> None:
    setting = get_setting(request.name)
    if setting.name == PROJECTS:
        hint = "wuu memory config set NAME VALUE --project changes one of this project's."
        raise UsageProblem(f"{PROJECTS} is changed one setting at a time.", hint=hint, name=PROJECTS)
    if request.root is not None and not setting.name.startswith("memory"):
        hint = "Leave out --project."
        raise UsageProblem(f"{setting.name} holds for all projects.", hint=hint, name=setting.name)
    problem = None if request.unset else value_problem(setting, request.value)
    if problem:
        raise UsageProblem(f"{setting.name} {problem}.", name=setting.name)


def check_syntax(text: str, path: str) -> None:
    """Refuse what is no JSON object; a value that does not fit has a key, and may be what is mended.

    Raises:
        SettingsInvalid: It is none.
    """
    try:
        parse_settings(text, path, None)
    except SettingsInvalid as error:
        if "key" not in error.details:
            raise


def _edited(text: str, request: ChangeSetting) -> str:
    if request.root is None:
        path = (request.name,)
        return without_member(text, path) if request.unset else with_member(text, path, request.value)
    directories = project_keys(text, request.root)
    if not request.unset:
        directory = directories[-1] if directories else request.root
        return with_member(text, (PROJECTS, directory, request.name), request.value)
    for directory in directories:
        text = without_member(text, (PROJECTS, directory, request.name))
    return text


def project_keys(text: str, root: str) -> Sequence[str]:
    """Return the keys of the overrides that mean the project at `root`; the last of them wins."""
    found = json.loads(text.removeprefix("\ufeff")).get(PROJECTS, {})
    return [key for key in found if is_at(key, root)] if isinstance(found, dict) else ()


def _outcome(text: str, path: str, request: ChangeSetting, here: str | None) -> SettingChange:
    """Return what holds once the file is `text`, which another key may still keep from being used."""
    name = request.name
    try:
        settings = parse_settings(text, path, here)
    except SettingsInvalid as error:
        value = BY_NAME[name].default if request.unset else request.value
        caveat = Caveat(error.code, error.message, error.details)
        return SettingChange(name, value, SETTINGS_FILE, path, (caveat,))
    return SettingChange(name, settings.values[name], settings.origin(name), path, settings.caveats)
