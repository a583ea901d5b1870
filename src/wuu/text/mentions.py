"""How one line of Markdown names topic files: links, wiki links and bare file names.

Owns the spelling of a link's target, both ways. Which of several files a target means is decided by the
notebook, which knows what files there are.
"""

import re
from typing import NamedTuple

_LINK = re.compile(r"(?<!\\)\[((?:\\.|[^\[\]\\]|\[[^\[\]]*\])*)\]\(([^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)")
_WIKI = re.compile(r"(?<!\\)\[\[([^\[\]|#\n]+)([|#][^\[\]\n]*)?\]\]")
_BARE = re.compile(r"(?<![\w./\\~*-])(?:\./|memory/)?([^\s()\[\]<>|`'\",;:*/\\]+\.md)(?![\w/-])", re.IGNORECASE)
_TITLE = re.compile(r"""\s+(?:"[^"]*"|'[^']*')\s*\Z""")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_TO_ENCODE = re.compile(r"[\s%()<>\[\]#?\\\"]")


class Mention(NamedTuple):
    """One place that names a plain file beside the index.

    `file` is the name it means (with `.md` where one stands), `start`/`end` enclose that name in the line,
    `outer_start`/`outer_end` the whole link. `kind` is `link`, `wiki` or `bare`.
    """

    file: str
    kind: str
    start: int
    end: int
    outer_start: int
    outer_end: int

    @property
    def is_link(self) -> bool:
        """Whether this is an inline Markdown link."""
        return self.kind == "link"

    def renamed(self, new: str) -> str:
        """Return what stands between `start` and `end` once the file is called `new`."""
        if self.kind == "link":
            return render_target(new if self.file.lower().endswith(".md") else new.removesuffix(".md"))
        return new if self.file.lower().endswith(".md") else new.removesuffix(".md")


def find_mentions(content: str, open_text: str) -> tuple[Mention, ...]:
    """Return the mentions of a line, in order; `open_text` is the line with code and comments blanked out.

    Bare names count inside code spans as well, since many people write `file.md` that way.
    """
    if not open_text.strip() and "`" not in content:
        return ()
    taken: list[Mention] = []
    spans: list[tuple[int, int]] = []
    for match in _LINK.finditer(open_text):
        spans.append(match.span())
        taken += _from_link(match)
    for match in _WIKI.finditer(open_text):
        spans.append(match.span())
        file = match.group(1).strip()
        at = match.start(1) + match.group(1).index(file) if file else 0
        if _is_plain(file):
            taken.append(Mention(file, "wiki", at, at + len(file), *match.span()))
    taken += _bare(content, open_text, spans)
    return tuple(sorted(taken, key=lambda mention: mention.start))


def render_target(file: str) -> str:
    """Return `file` as the target of an inline link: what would end or change the link is percent-encoded."""
    return _TO_ENCODE.sub(lambda match: "".join(f"%{byte:02X}" for byte in match.group().encode()), file)


def _from_link(match: re.Match[str]) -> list[Mention]:
    """Return the mention that a link makes, if its target is a plain file, maybe behind `./` or `memory/`."""
    target = match.group(2)
    start = match.start(2) + len(target) - len(target.lstrip())
    target = _TITLE.sub("", target.strip())
    if target.startswith("<") and target.endswith(">"):
        target, start = target[1:-1], start + 1
    for prefix in ("./", "memory/"):
        if target.startswith(prefix):
            target, start = target[len(prefix) :], start + len(prefix)
    name = re.split(r"[#?]", target, maxsplit=1)[0]
    if not name or _SCHEME.match(name):
        return []
    file = _decoded(name)
    return [Mention(file, "link", start, start + len(name), *match.span())] if _is_plain(file) else []


def _bare(content: str, open_text: str, spans: list[tuple[int, int]]) -> list[Mention]:
    if ".md" not in content.lower():
        return []
    found = []
    for match in _BARE.finditer(content):
        in_comment = not open_text[match.start() : match.end()].strip() and not _in_code(content, match)
        in_link = any(start <= match.start() < end for start, end in spans)
        if not in_comment and not in_link:
            found.append(Mention(match.group(1), "bare", *match.span(1), *match.span()))
    return found


def _in_code(content: str, match: re.Match[str]) -> bool:
    """Tell whether a name is all that stands between two backticks."""
    return content[: match.start()].endswith("`") and content[match.end() :].startswith("`")


def _decoded(name: str) -> str:
    if "%" not in name:
        return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", name)
    from urllib.parse import unquote  # noqa: PLC0415  (costs 0.3 x bare Python; percent signs are rare)

    return unquote(name)


def _is_plain(file: str) -> bool:
    return bool(file) and not file.startswith((".", "~", "#")) and "/" not in file and "\\" not in file and "\0" not in file
