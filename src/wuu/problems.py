"""What a check can find: every code with its severity and one line that says what it means.

Owns the codes, which are stable: scripts select and ignore them, and each has a page in
docs/reference/problems/. How a problem is found is the business of the room whose files it is in.
"""

from typing import NamedTuple

ERROR, WARNING = "error", "warning"


class Problem(NamedTuple):
    """One finding, in the shape of CONTRACT ("JSON values").

    `file` is relative to the folder that is checked and uses `/`; `line` counts from 1, or is None where the
    problem is the file itself. `fix` says what to do, or is None where only its author can tell.
    """

    code: str
    severity: str
    file: str
    line: int | None
    message: str
    fix: str | None = None


class Code(NamedTuple):
    """A kind of problem: how bad it is unless `--strict` says otherwise, and what it means."""

    severity: str
    summary: str


CODES: dict[str, Code] = {
    # the index
    "index_missing": Code(ERROR, "There are topics, and no MEMORY.md that names them."),
    "dangling_link": Code(ERROR, "The index names a topic that is not there."),
    "not_indexed": Code(ERROR, "The index does not name a topic, so sessions do not learn of it."),
    "duplicate_entry": Code(WARNING, "Two entries of the index are about the same topic."),
    "link_leaves_notebook": Code(ERROR, "A link of the index leads out of the folder."),
    "index_over_budget": Code(ERROR, "The index is larger than what a session gets of it."),
    "index_nearly_full": Code(WARNING, "The index fills over 90 % of what a session gets of it."),
    # frontmatter
    "frontmatter_missing": Code(WARNING, "A topic does not open with frontmatter."),
    "frontmatter_broken": Code(ERROR, "A topic opens like frontmatter, which then breaks off."),
    "frontmatter_not_yaml": Code(ERROR, "Programs that take frontmatter for YAML cannot read it."),
    "duplicate_key": Code(ERROR, "A key stands twice in the frontmatter, and only one of them counts."),
    "name_missing": Code(WARNING, "The frontmatter of a topic has no name."),
    "description_missing": Code(WARNING, "The frontmatter of a topic has no description."),
    "value_cut_at_hash": Code(WARNING, "A name or description ends, or will end, at a # sign."),
    "unknown_type": Code(WARNING, "The type is none of user, feedback, reference and lesson."),
    "verified_invalid": Code(ERROR, "The verified date is no date of the form YYYY-MM-DD."),
    "verified_in_future": Code(ERROR, "The verified date has not come yet, anywhere on Earth."),
    "verified_stale": Code(WARNING, "A topic was not verified for longer than --stale-days allows."),
    # text
    "secret_detected": Code(ERROR, "A file holds what looks like a credential."),
    "unsafe_line": Code(ERROR, "A line reads like an instruction to the agent, or hides characters."),
    "conflict_marker": Code(ERROR, "A merge was left unfinished in the file."),
    # files
    "not_utf8": Code(ERROR, "A file is not UTF-8."),
    "too_large": Code(ERROR, "A file is larger than 256 KiB, the most that is read."),
    "unsafe_file": Code(ERROR, "A link, a special file, or a name that cannot be shown."),
    "unreadable": Code(ERROR, "The system does not let wuu read a file."),
    "name_collision": Code(ERROR, "Two names are one on a disk that ignores case or Unicode form."),
    "sync_conflict": Code(ERROR, "A synchronisation service left a second copy of a file."),
    "leftover_temp": Code(WARNING, "A writer that was killed left a temporary file."),
    # memories
    "entry_invalid": Code(
        ERROR, "The file of a memory breaks a rule, and is read in the least privileged way."
    ),
    "entry_name": Code(ERROR, "A file among the memories is none by its name, so it is not read."),
    "entry_twice": Code(ERROR, "The same memory stands in two places."),
    "too_many_pins": Code(WARNING, "More memories are pinned in one place than wuu allows."),
    "workspace_invalid": Code(ERROR, "The description of a workspace cannot be read."),
    # the home
    "recovery_pending": Code(WARNING, "An interrupted change waits for the next writer to finish it."),
    "recovery_needed": Code(ERROR, "An interrupted change waits for a person to settle it."),
    "settings_invalid": Code(ERROR, "The settings cannot be read, or hold a value of the wrong type."),
    "settings_unknown": Code(WARNING, "The settings have a key that has no effect."),
    "home_invalid": Code(ERROR, "The description of the home cannot be read, or is of a newer wuu."),
}


def problem(code: str, file: str, line: int | None, message: str, fix: str | None = None) -> Problem:
    """Return a problem with the severity of its code; `code` is a key of `CODES`."""
    return Problem(code, CODES[code].severity, file, line, message, fix)
