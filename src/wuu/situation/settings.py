"""The settings: their table, and what `settings.json` makes of it for one project (ARCHITECTURE 6).

Owns names, types, bounds and defaults. It reads one file and writes none; what a setting does is decided
where it is used.
"""

import json
import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from wuu.errors import Caveat, SettingsInvalid
from wuu.store.files import decode, read_bytes

SETTINGS_FILE = "settings.json"
PROJECTS = "memoryProjects"
POLICY_TABLE = "memoryPolicies"
POLICIES = ("auto", "review", "never")

Kind = Literal["flag", "integer", "number", "choice", "time", "table"]


class Setting(NamedTuple):
    """One row of the table; bounds are inclusive, `choices` those of the value or of a table's values."""

    name: str
    kind: Kind
    meaning: str
    lowest: int = 0
    highest: int = 1_000_000
    choices: tuple[str, ...] = ()
    default: Any = None


TABLE = (
    Setting("memoryEnabled", "flag", "Off: contexts are empty and nothing is proposed.", default=True),
    Setting("memoryUse", "flag", "Hooks put saved memories into an agent's prompt.", default=False),
    Setting("memoryGenerate", "flag", "Finished turns are read for proposals (extraction).", default=False),
    Setting("memoryRequireApproval", "flag", "What agents write and extraction finds waits.", default=True),
    Setting(
        "memoryMaxPromptTokens", "integer", "Most tokens of a prompt block, all included.", default=10_000
    ),
    Setting(
        "memoryMaxEntries", "integer", "Most user memories in a block, and proposed by one run.", default=50
    ),
    Setting("memoryProjectMaxEntries", "integer", "The same for project memories.", default=3),
    Setting(
        "memoryGlobalCompactionMaxEntries", "integer", "Most user memories after a compaction.", default=50
    ),
    Setting("memoryRetrievalChars", "integer", "Characters for memories that match a prompt.", default=6_000),
    Setting("memoryMatchFloor", "number", "Weakest match that counts; 0: any word.", default=0.31),
    Setting(
        POLICY_TABLE, "table", "Policy by category, where not the default.", choices=POLICIES, default={}
    ),
    Setting(
        "memoryMaintenance",
        "choice",
        "What happens to exact duplicates of generated memories.",
        choices=("disabled", "preview", "auto-consolidate"),
        default="disabled",
    ),
    Setting(
        "memoryPendingDays", "integer", "Days until a proposal lapses; 0: never.", highest=3650, default=0
    ),
    Setting("notebookEnabled", "flag", "The notebook takes part in contexts and services.", default=True),
    Setting("personalEnabled", "flag", "Personal records take part in contexts and services.", default=True),
    Setting("dreamEnabled", "flag", "Dream runs on its own, at its time.", default=False),
    Setting("dreamTime", "time", "Local time of day from which a dream run is due.", default="03:30"),
    Setting("dreamIntervalDays", "integer", "Days between dream runs.", lowest=1, highest=365, default=7),
    Setting("dreamMinSessions", "integer", "Sessions that make a run due.", lowest=1, highest=100, default=5),
    Setting("dreamMaxTokens", "integer", "Most model tokens of a run.", highest=100_000_000, default=50_000),
    Setting("extractor", "choice", "What reads turns.", choices=("rules", "model", "none"), default="rules"),
    Setting(
        "evolution",
        "choice",
        "What is made of corrections that recur.",
        choices=("off", "observe", "suggest", "auto-safe"),
        default="off",
    ),
    Setting("modelRoles", "table", "Which model or command answers for a role.", default={}),
    Setting(PROJECTS, "table", "Overrides of memory settings, by absolute project directory.", default={}),
)
BY_NAME: Mapping[str, Setting] = MappingProxyType({setting.name: setting for setting in TABLE})


class Settings(NamedTuple):
    """The settings that hold for one project, where each comes from, and what is odd about the file."""

    path: str
    values: Mapping[str, Any]
    origins: Mapping[str, str]
    caveats: tuple[Caveat, ...]

    def flag(self, name: str) -> bool:
        """Return a setting that is on or off."""
        return bool(self.values[name])

    def integer(self, name: str) -> int:
        """Return a whole number."""
        return int(self.values[name])

    def number(self, name: str) -> float | None:
        """Return a number, or None where it is not set and has no default."""
        value = self.values[name]
        return None if value is None else float(value)

    def text(self, name: str) -> str:
        """Return a choice or a time of day (`HH:MM`)."""
        return str(self.values[name])

    def table(self, name: str) -> Mapping[str, Any]:
        """Return a table by its keys."""
        return MappingProxyType(self.values[name])

    def origin(self, name: str) -> str:
        """Return `default`, `settings.json`, or `settings.json memoryProjects[DIRECTORY]`.

        A key of memoryPolicies has an origin of its own, under `memoryPolicies.KEY`.
        """
        return self.origins.get(name, "default")


def read_settings(path: str, workspace_root: str | None) -> Settings:
    """Return the settings of the file at `path` for the project at `workspace_root` (None: no project).

    A missing file means the defaults. An override for the project wins over the global value. Unknown or
    repeated keys are caveats.

    Raises:
        SettingsInvalid: No JSON object (names the line), or a value of the wrong type (names the key).
        NotUtf8: Names the byte.
        TooLarge: More than 262,144 bytes.
        UnsafeFile: Not a regular file, or a link that leaves its folder.
        IoProblem: The system refused.
    """
    data = read_bytes(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
    return parse_settings("{}" if data is None else decode(data, path), path, workspace_root)


def parse_settings(text: str, path: str, workspace_root: str | None) -> Settings:
    """Return the settings that `text`, the content of `path`, gives the project at `workspace_root`.

    A project's memoryPolicies add to the general ones, key by key, and win; any other override replaces.

    Raises:
        SettingsInvalid: See `read_settings`.
    """
    found, repeated = _parse_object(text, path)
    known, caveats = _known(found, path)
    values = {setting.name: setting.default for setting in TABLE}
    origins: dict[str, str] = {}
    for name, value in known.items():
        _check(name, value, path)
    _settle(values, origins, known, SETTINGS_FILE)
    for directory, overrides in found.get(PROJECTS, {}).items():
        chosen, odd = _overrides(directory, overrides, path)
        caveats += odd
        if is_at(directory, workspace_root):
            _settle(values, origins, chosen, f"{SETTINGS_FILE} {PROJECTS}[{directory}]")
    caveats += [
        _caveat("repeated", f"{key!r} is there twice; the last one counts", path, key) for key in repeated
    ]
    return Settings(path, MappingProxyType(values), MappingProxyType(origins), tuple(caveats))


def _settle(values: dict[str, Any], origins: dict[str, str], chosen: Mapping[str, Any], origin: str) -> None:
    """Put `chosen` over `values`; policies are put key by key, the new ones last, since the last counts."""
    policies = chosen.get(POLICY_TABLE, {})
    kept = {key: policy for key, policy in values[POLICY_TABLE].items() if key not in policies}
    values.update({**chosen, POLICY_TABLE: {**kept, **policies}})
    origins.update(dict.fromkeys((*chosen, *(f"{POLICY_TABLE}.{key}" for key in policies)), origin))


def value_problem(setting: Setting, value: object) -> str | None:
    """Say why `setting` cannot have `value`, as the end of a sentence, or return None."""
    low, high = setting.lowest, setting.highest
    match setting.kind:
        case "flag":
            fits, wanted = isinstance(value, bool), "true or false"
        case "integer":
            fits = isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
            wanted = f"a whole number from {low} to {high}"
        case "number":
            fits = isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high
            wanted = f"a number from {low} to {high}"
        case "choice":
            fits, wanted = value in setting.choices, "one of " + ", ".join(setting.choices)
        case "time":
            fits, wanted = _is_time(value), "a time of day like 03:30, in quotes"
        case "table":
            return _table_problem(setting, value)
    return None if fits else f"must be {wanted}"


def _table_problem(setting: Setting, value: object) -> str | None:
    if not isinstance(value, dict):
        return "must be a table: {…}"
    inner = setting._replace(kind="choice")
    if setting.name == PROJECTS:
        wrong = [key for key, overrides in value.items() if not isinstance(overrides, dict)]
        return f"must hold a table for each directory, and does not for {wrong[0]!r}" if wrong else None
    if setting.choices:
        for key, one in value.items():
            problem = value_problem(inner, one)
            if problem:
                return f"{problem} for {key!r}"
    return None


def _is_time(value: object) -> bool:
    if not isinstance(value, str) or len(value) != len("03:30") or value[2] != ":":
        return False
    hours, minutes = value[:2], value[3:]
    digits = f"{hours}{minutes}"
    return digits.isascii() and digits.isdigit() and int(hours) < 24 and int(minutes) < 60


def _check(name: str, value: object, path: str, where: str = "") -> None:
    problem = value_problem(BY_NAME[name], value)
    if problem:
        raise SettingsInvalid(f"{path}: {where}{name} {problem}.", file=path, key=f"{where}{name}")


def _known(found: Mapping[str, Any], path: str) -> tuple[dict[str, Any], list[Caveat]]:
    """Separate the keys of the table from the others, for which the nearest name is told."""
    unknown = [key for key in found if key not in BY_NAME]
    return {key: value for key, value in found.items() if key in BY_NAME}, [
        _unknown(key, path) for key in unknown
    ]


def _unknown(key: str, path: str) -> Caveat:
    from difflib import get_close_matches  # noqa: PLC0415  (0.1 x bare Python; typos are rare)

    folded = {name.casefold(): name for name in BY_NAME}
    near = get_close_matches(key.casefold(), folded, n=1)
    advice = f"; did you mean {folded[near[0]]}?" if near else ""
    return _caveat(
        "unknown", f"{key!r} is no setting{advice}", path, key, nearest=folded[near[0]] if near else None
    )


def _overrides(
    directory: str, overrides: Mapping[str, Any], path: str
) -> tuple[dict[str, Any], list[Caveat]]:
    """Return what may be overridden for one project, checked, and caveats about the rest."""
    if not os.path.isabs(directory):
        message = f"{PROJECTS}[{directory}] is not used: the path is not absolute"
        return {}, [_caveat("relative", message, path, directory)]
    known, caveats = _known(overrides, path)
    where = f"{PROJECTS}[{directory}]."
    chosen = {name: value for name, value in known.items() if name.startswith("memory") and name != PROJECTS}
    for name, value in chosen.items():
        _check(name, value, path, where)
    not_here = [name for name in known if name not in chosen]
    message = "is not used: it holds for all projects"
    return chosen, caveats + [_caveat("global", f"{where}{name} {message}", path, name) for name in not_here]


def is_at(directory: str, root: str | None) -> bool:
    """Tell whether an override for `directory`, an absolute path, is for the project at `root`."""
    try:
        return os.path.isabs(directory) and os.path.realpath(directory) == root
    except ValueError:  # no system has a path with NUL or half a character in it
        return False


def _caveat(kind: str, message: str, path: str, key: str, **details: Any) -> Caveat:
    return Caveat(f"settings_{kind}", f"{path}: {message}.", {"file": path, "key": key, **details})


def _parse_object(text: str, path: str) -> tuple[dict[str, Any], list[str]]:
    """Return the JSON object in `text` and the keys that stand in one object twice."""
    repeated: list[str] = []

    def collect(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        collected: dict[str, Any] = {}
        for key, value in pairs:
            if key in collected:
                repeated.append(key)
            collected[key] = value
        return collected

    try:
        found = json.loads(text.removeprefix("\ufeff"), object_pairs_hook=collect, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise SettingsInvalid(
            f"{path}, line {error.lineno}: {error.msg}.", file=path, line=error.lineno, column=error.colno
        ) from error
    except (ValueError, RecursionError) as error:
        raise SettingsInvalid(f"{path} cannot be read: {error}.", file=path) from error
    if not isinstance(found, dict):
        raise SettingsInvalid(f"{path} must hold a JSON object: {{…}}.", file=path)
    return found, repeated


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON number")
