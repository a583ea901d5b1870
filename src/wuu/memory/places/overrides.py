"""Settings that hold for one project, as they follow it to another root; the file is `settings_writing`'s."""

import json
from typing import Any

from wuu.errors import AlreadyExists, SettingsInvalid, TooLarge
from wuu.situation.settings import PROJECTS, SETTINGS_FILE
from wuu.situation.settings_writing import check_syntax, project_keys
from wuu.store import files
from wuu.store.changes import Change, change
from wuu.store.home import Home
from wuu.text.json_edit import with_member, without_member


def plan_overrides(home: Home, old_root: str, new_root: str) -> tuple[Change, ...]:
    """Plan to give the overrides of one root to another; all else in the file stays as it is.

    Raises:
        AlreadyExists: The new root has another value for one of the settings.
        SettingsInvalid: The file is no JSON object, or the overrides of a root are none.
        NotUtf8, TooLarge, UnsafeFile, IoProblem: The file cannot be read, or would be too large.
    """
    data = home.read(SETTINGS_FILE)
    if data is None:
        return ()
    path = home.place(SETTINGS_FILE)
    text = files.decode(data, path)
    check_syntax(text, path)
    after = _moved(text, old_root, new_root).encode()
    if len(after) > files.MAX_FILE_BYTES:
        note = f"{path} would have more than {files.MAX_FILE_BYTES:,} bytes."
        raise TooLarge(note, limit=files.MAX_FILE_BYTES)
    return () if after == data else (change(SETTINGS_FILE, data, after),)


def _moved(text: str, old_root: str, new_root: str) -> str:
    moving = _members(text, old_root)
    present = _members(text, new_root)
    for name, value in moving.items():
        if present.get(name, value) != value:
            note = f"{SETTINGS_FILE} has another {name} for {new_root} already; nothing was moved."
            raise AlreadyExists(note, hint=f"wuu memory config unset {name} --project", name=name)
    directory = next(reversed(project_keys(text, new_root)), new_root)
    for name, value in moving.items():
        if name not in present:
            text = with_member(text, (PROJECTS, directory, name), value)
    for key in project_keys(text, old_root):
        text = without_member(text, (PROJECTS, key))
    return text


def _members(text: str, root: str) -> dict[str, Any]:
    """Return the settings that are overridden for a root; the last of several objects wins."""
    found: dict[str, Any] = {}
    for key in project_keys(text, root):
        members = json.loads(text.removeprefix("\ufeff"))[PROJECTS][key]
        if not isinstance(members, dict):
            raise SettingsInvalid(f"{SETTINGS_FILE}: {PROJECTS}.{key} is no object.", file=SETTINGS_FILE)
        found.update(members)
    return found
