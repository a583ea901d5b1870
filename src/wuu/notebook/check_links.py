"""Links of MEMORY.md that lead out of its folder.

Owns what counts as leaving: by its spelling alone, whatever is on this disk, since the folder may be checked
elsewhere. A link to something else inside the folder is fine, and so is one to the web.
"""

import re
from collections.abc import Iterator
from posixpath import normpath
from urllib.parse import unquote

from wuu.notebook.topics import INDEX
from wuu.problems import Problem, problem
from wuu.text.index_lines import Index
from wuu.text.secrets import redact

_INLINE = re.compile(r"\]\([ \t]*+(?:<([^<>]*+)>|((?:\\.|[^()\\]|\((?:\\.|[^()\\])*+\))*+)\))")
_REFERENCE = re.compile(r" {0,3}\[(?!\^)(?:\\.|[^\[\]\\])++\]:[ \t]*+(?:<([^<>]*+)>|(\S++))")
_TITLE = re.compile(r"""[ \t]+["'(].*""", re.DOTALL)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_DRIVE = re.compile(r"[A-Za-z]:")
_BACKSLASH = re.compile(r"\\(?=[A-Za-z0-9.])")
_SHOWN = 120


def find_leaving(index: Index) -> Iterator[Problem]:
    """Yield the links and images, outside of code and comments, whose target is a path out of the folder."""
    for number, line in enumerate(index.lines, 1):
        if line.literal or "]" not in line.open_text:
            continue
        for target in _targets(line.open_text):
            if leaves(target):
                what = repr(redact(target).text[:_SHOWN])
                note = f"The link to {what} on line {number} of {INDEX} leads out of the folder."
                fix = "Copy what it leads to into the folder, or name it without a link."
                yield problem("link_leaves_notebook", INDEX, number, note, fix)


def leaves(target: str) -> bool:
    """Tell whether a link's target is a path that leaves the folder in which the link stands."""
    path = unquote(re.split(r"[#?]", target, maxsplit=1)[0])
    if _DRIVE.match(path) and not _SCHEME.match(path):
        return True
    if _SCHEME.match(path):
        return path[:5].lower() == "file:"
    path = _BACKSLASH.sub("/", path.replace("\\\\", "/"))
    if path.startswith(("/", "~/")) or path == "~":
        return True
    return normpath(path).split("/", 1)[0] == ".." if path else False


def _targets(content: str) -> Iterator[str]:
    reference = _REFERENCE.match(content)
    for match in (*_INLINE.finditer(content), *((reference,) if reference else ())):
        enclosed, plain = match.groups()
        yield enclosed if enclosed is not None else _TITLE.sub("", plain).strip()
