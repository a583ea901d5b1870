"""What the pages say beside the commands: exit statuses, environment variables, files.

Owns these texts; the error classes themselves are read from `wuu.errors`.
"""

from typing import NamedTuple

from wuu import errors

# ARCHITECTURE 5.
STATUSES: dict[int, str] = {
    0: "Done. Also: already done, nothing to do, no match, waits for approval.",
    1: "Ran to its end and found problems, or a part of a batch failed.",
    2: "Wrong usage or settings.",
    3: "Not there, or not unique.",
    4: "A precondition failed; nothing was written.",
    5: "Refused or declined, or a person must decide.",
    6: "Somebody else holds the lock.",
    7: "Stored state needs attention.",
    8: "The disk refused.",
    9: "A service or a model is not available.",
    70: "A bug in wuu.",
    130: "Interrupted (SIGINT).",
    143: "Told to end (SIGTERM).",
}

ENVIRONMENT: dict[str, str] = {
    "WUU_HOME": "The home of wuu, used whole and made absolute; blank or unset: `~/.wuu`.",
    "WUU_WORKSPACE": "The project to work for; unset: found from the current directory.",
    "WUU_PROFILE": "The profile of the person; unset: `default`.",
    "WUU_SESSION": "The session of the agent; unset: the agent's own variable.",
    "WUU_READ_ONLY": "Not empty, `0` or `no`: nothing is written, as with `--read-only`.",
    "VISUAL": "The editor of `wuu notebook edit` and `wuu notebook write`.",
    "EDITOR": "The editor, if `VISUAL` is not set.",
    "NO_COLOR": "Not empty: no colours on a terminal.",
    "XDG_CACHE_HOME": "Where the disposable search index lies (Linux); unset: `~/.cache`.",
}

FILES: dict[str, str] = {
    "~/.wuu/memory/MEMORY.md": "The index of your notebook, free Markdown with a line for each topic.",
    "~/.wuu/memory/*.md": "The topics, one file each.",
    "~/.wuu/settings.json": "Settings.",
    "~/.wuu/journal/, ~/.wuu/conflicts/": "Interrupted changes; `wuu reconcile files` settles them.",
    "~/.cache/wuu/": "The search index (macOS: `~/Library/Caches/wuu`). Derived: delete it at will.",
}


class ErrorText(NamedTuple):
    """An error code, its exit status and what it means."""

    code: str
    exit_status: int
    meaning: str


def read_errors() -> tuple[ErrorText, ...]:
    """Return every error of `wuu.errors`, by exit status and then in the order of the file."""
    classes = [
        one
        for one in vars(errors).values()
        if isinstance(one, type) and issubclass(one, errors.WuuError) and one.__module__ == errors.__name__
    ]
    texts = (ErrorText(one.code, one.exit_status, _meaning(one)) for one in classes)
    return tuple(sorted(texts, key=lambda text: text.exit_status))


def _meaning(error: type[errors.WuuError]) -> str:
    if error is errors.WuuError:
        return "Something that wuu did not foresee; it wrote a report and named it."
    return (error.__doc__ or "").strip().split("\n\n")[0].replace("\n", " ")
