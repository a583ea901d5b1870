"""How one line of Markdown names topic files: links, wiki links and bare file names.

Owns the spelling of a link's target, both ways. Which of several files a target means is decided by the
notebook, which knows what files there are.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple


def _balanced(excluded: str) -> str:
    """Return the pattern of text without `excluded` characters whose parentheses nest at most twice."""
    plain = rf"\\.|[^()\\{excluded}]"
    return rf"(?:{plain}|\((?:{plain}|\((?:{plain})*+\))*+\))*+"


_BRACKET = re.compile(r"\\.|!?\[|\]", re.DOTALL)
_TITLE = r"""(?:"(?:\\.|[^"\\])*+"|'(?:\\.|[^'\\])*+'|\((?:\\.|[^()\\])*+\))"""
_ENCLOSED = r"<(?P<enclosed>(?:\\.|[^<>\\])*+)>"
_PLAIN = rf"(?!<)(?P<plain>{_balanced(chr(92) + 's')})"
_TARGET = re.compile(rf"\([ \t]*+(?:{_ENCLOSED}|{_PLAIN})(?:[ \t]++{_TITLE})?+[ \t]*+\)", re.DOTALL)
_LOOSE_TARGET = re.compile(rf"\((?P<plain>{_balanced('')})\)", re.DOTALL)
_WIKI = re.compile(r"(?<!\\)\[\[([^\[\]|#]+?)(\\?[|#][^\[\]]*)?\]\]")

_CJK = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
_STOPS = (
    r"\s()\[\]<>|`'\",;:*/\\\u00ab\u00bb\u2014\u2015\u2018-\u201f\u2022\u2026\u2190-\u21ff"
    r"\u3000-\u3002\u3008-\u3011\u3014-\u301f\uff01\uff08\uff09\uff0c\uff0f\uff1a\uff1b\uff1f\uff5b-\uff64"
)
_ENDS = r"\.[Mm][Dd](?![A-Za-z0-9_/-])(?!\.[A-Za-z0-9])"
_BARE = re.compile(rf"(?<![^{_STOPS}])[^{_STOPS}]+{_ENDS}")

_FOLDERS = ("./memory/", "memory/", "./")
_FOLDER_BEFORE = re.compile(r"(?<![A-Za-z0-9_./\\~-])(?:\./memory/|memory/|\./)\Z")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_TO_ENCODE = re.compile(r"[\s%()<>\[\]#?\\\"`|:]|&(?=#?\w+;)")
_TO_ENCODE_ENCLOSED = re.compile(r"[^\S ]|[%<>\[\]#?\\`|:]|&(?=#?\w+;)")
_NOT_IN_WIKI = frozenset("[]|#<>`\\")


class Mention(NamedTuple):
    """One place that names a plain file beside the index.

    `file` is the name it means (with `.md` where one stands), `start`/`end` enclose that name in the line,
    `outer_start`/`outer_end` the whole link, or the name with its backticks. `kind` is `link`, `wiki` or
    `bare`; `enclosed` says that a link's target stands in `<…>`.
    """

    file: str
    kind: str
    start: int
    end: int
    outer_start: int
    outer_end: int
    enclosed: bool = False

    @property
    def is_link(self) -> bool:
        """Whether this is an inline Markdown link."""
        return self.kind == "link"

    def renamed(self, new: str) -> str:
        """Return what stands between `start` and `end` once the file is called `new`."""
        stem = new.removesuffix(".md")
        shown = new if _has_extension(self.file) or _has_extension(stem) else stem
        if self.kind != "link":
            return shown
        return _encoded(
            shown, _TO_ENCODE_ENCLOSED if self.enclosed and shown == shown.strip() else _TO_ENCODE
        )

    def can_name(self, new: str) -> bool:
        """Tell whether a mention of this kind can name the file `new`: any link can."""
        if self.kind == "wiki":
            return new == new.strip() and _NOT_IN_WIKI.isdisjoint(new)
        return self.kind == "link" or (_BARE.fullmatch(new) is not None and _is_plain(new))


def find_mentions(content: str, open_text: str) -> tuple[Mention, ...]:
    """Return the mentions of a line, in order; `open_text` is the line with code and comments blanked out.

    Bare names count inside code spans as well, since many people write `file.md` that way. A bare name that
    is glued to Chinese, Japanese or Korean text gives two mentions: with that text and without it.
    """
    if not open_text.strip():
        return ()
    links = list(_find_links(open_text)) if "](" in open_text else []
    rest = _blanked(open_text, [(start, target.end()) for start, _, target in links])
    wikis = list(_WIKI.finditer(rest)) if "[[" in rest else []
    rest = _blanked(rest, [match.span() for match in wikis])
    found = [_link(start, target) for start, is_image, target in links if not is_image]
    found += [_wiki(match) for match in wikis]
    found += _find_bare(content, rest) if ".md" in content.lower() else ()
    return tuple(sorted(filter(None, found), key=lambda mention: mention.start))


def render_target(file: str) -> str:
    """Return `file` as the target of an inline link: what would end, change or hide it is percent-encoded."""
    return _encoded(file, _TO_ENCODE)


def _encoded(file: str, what: re.Pattern[str]) -> str:
    encoded = what.sub(lambda match: _percent(match.group()), file)
    if encoded.isprintable():
        return encoded
    return "".join(character if character.isprintable() else _percent(character) for character in encoded)


def _percent(characters: str) -> str:
    return "".join(f"%{byte:02X}" for byte in characters.encode("utf-8", "surrogatepass"))


def _blanked(text: str, spans: list[tuple[int, int]]) -> str:
    parts, at = [], 0
    for start, end in sorted(spans):
        if end > at:
            parts += [text[at:start], " " * (end - max(start, at))]
            at = end
    return "".join(parts) + text[at:]


def _find_links(open_text: str) -> Iterator[tuple[int, bool, re.Match[str]]]:
    """Yield where each link or image begins, whether it is an image, and its target; links do not nest."""
    openers: list[re.Match[str]] = []
    at = 0
    while bracket := _BRACKET.search(open_text, at):
        at = bracket.end()
        if bracket.group() in ("[", "!["):
            openers.append(bracket)
        elif bracket.group() == "]" and openers:
            opener = openers.pop()
            target = _TARGET.match(open_text, at) or _LOOSE_TARGET.match(open_text, at)
            if target is None:
                continue
            yield opener.start(), opener.group() == "![", target
            at = target.end()
            if opener.group() == "[":
                openers.clear()


def _link(start: int, target: re.Match[str]) -> Mention | None:
    """Return the mention that a link makes, if its target is a plain file, maybe in this very folder."""
    enclosed = target.groupdict().get("enclosed")
    written = target["plain"] if enclosed is None else enclosed
    name_at = target.start("plain" if enclosed is None else "enclosed")
    bare = written.lstrip()
    name = _without_title(bare.rstrip())
    name_at += len(written) - len(bare)
    folder = _folder(name)
    name = re.split(r"[#?]", name[folder:], maxsplit=1)[0]
    name_at += folder
    file = "" if _SCHEME.match(name) else _decoded(name)
    if not _is_plain(file):
        return None
    return Mention(file, "link", name_at, name_at + len(name), start, target.end(), enclosed is not None)


def _without_title(target: str) -> str:
    """Return a target with blanks in it without the title behind it."""
    if target[-1:] not in ('"', "'"):
        return target
    at = target.rfind(target[-1], 0, -1)
    return target[:at].rstrip() if at > 0 and target[at - 1].isspace() else target


def _wiki(match: re.Match[str]) -> Mention | None:
    written = match.group(1)
    file = written.strip()
    folder = _folder(file)
    at = match.start(1) + len(written) - len(written.lstrip()) + folder
    file = file[folder:]
    return Mention(file, "wiki", at, at + len(file), *match.span()) if _is_plain(file) else None


def _folder(target: str) -> int:
    """Return how many characters at the start of a target only say "in this folder"."""
    return next((len(folder) for folder in _FOLDERS if target.startswith(folder)), 0)


def _find_bare(content: str, rest: str) -> Iterator[Mention]:
    """Yield the bare names of a line; `rest` has links, comments and the inside of code blanked out."""
    for match in _BARE.finditer(content):
        start, end = match.span()
        folder = _FOLDER_BEFORE.search(content[max(0, start - 12) : start])
        outer = start - (len(folder.group()) if folder else 0)
        if folder is None and not _stands_free(content, start, end):
            continue
        is_code = rest[outer - 1 : outer] == "`" == rest[end : end + 1] and not rest[outer:end].strip()
        if not _is_plain(match.group()) or not (is_code or rest[outer:end] == content[outer:end]):
            continue
        yield Mention(match.group(), "bare", start, end, outer - is_code, end + is_code)
        if not is_code and not match.group().isascii():
            for part in _beside_cjk().finditer(content, start, end):
                yield Mention(part.group(), "bare", *part.span(), *part.span())


@cache
def _beside_cjk() -> re.Pattern[str]:
    """Build the pattern of an ASCII name beside CJK text: behind it, or at the start and in front of it."""
    name = rf"[A-Za-z0-9_][A-Za-z0-9_.+@=-]*{_ENDS}"
    return re.compile(rf"(?<=[{_CJK}]){name}|(?<![^{_STOPS}]){name}(?=[{_CJK}])")


def _stands_free(content: str, start: int, end: int) -> bool:
    """Tell whether a name is no end of a path and no part of a pattern; emphasis around it is fine."""
    before = content[start - 1 : start]
    return before not in ("/", "\\", "*") or (before == "*" == content[end : end + 1])


def _decoded(name: str) -> str:
    if "\\" in name:
        name = _ESCAPED.sub(r"\1", name)
    if "%" not in name:
        return name
    from urllib.parse import unquote  # noqa: PLC0415  (costs 0.3 x bare Python; percent signs are rare)

    return unquote(name)


def _has_extension(file: str) -> bool:
    return file.lower().endswith(".md")


def _is_plain(file: str) -> bool:
    """Tell whether a name is that of a visible file in this folder."""
    return bool(file) and not file.startswith(".") and not any(mark in file for mark in "/\\\0")
