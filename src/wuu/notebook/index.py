"""MEMORY.md next to the topics: which topic a line means, and the index that a change of a topic leads to.

The byte work is `text/index_lines.py`; here it is decided which of several files an index line names.
"""

import re
from collections.abc import Collection
from typing import NamedTuple

from wuu.errors import Caveat, TooLarge
from wuu.notebook.topics import INDEX, Notebook, Topic
from wuu.store import files
from wuu.store.changes import Change, change
from wuu.text import index_lines as lines
from wuu.text.budget import INDEX_BYTES, INDEX_LINES, PromptForm, prompt_form
from wuu.text.index_lines import Entry, Index
from wuu.text.mentions import Mention
from wuu.text.normalise import link_key, topic_name_problem

NEW_INDEX = "# Memory\n\n"

_HOOK = re.compile(r"[*_\"']*[ \t]*(?:\Z|[—–:|(-])")


def fitting(data: bytes, file: str) -> bytes:
    """Return the bytes of a file of the notebook, unless it could not be read again.

    Raises:
        TooLarge: More than 256 KiB.
    """
    if len(data) > files.MAX_FILE_BYTES:
        note = f"{file} would have {len(data):,} bytes; it has at most {files.MAX_FILE_BYTES:,}."
        hint = "Shorten it in an editor." if file == INDEX else "Split it into several topics."
        raise TooLarge(note, hint=hint, file=file, bytes=len(data), limit=files.MAX_FILE_BYTES)
    return data


class IndexChange(NamedTuple):
    """The change of MEMORY.md (None: it stays as it is), the topic's line now, and what to say about it."""

    change: Change | None
    line: str | None
    caveats: tuple[Caveat, ...]


class Names:
    """Which of the files that exist a mention means (FACTS: file name, stem, `name`, `-`/`_`, NFC/NFD)."""

    def __init__(self, existing: Collection[str]) -> None:
        self._existing = frozenset(existing)

    def means(self, mention: Mention, file: str, title: str | None = None) -> bool:
        """Tell whether `mention` names `file`: exactly, or by a key that no other file answers to exactly."""
        named = file_of(mention)
        if named == file:
            return True
        if named in self._existing:
            return False
        key = link_key(mention.file)
        return key == link_key(file) or (title is not None and key == link_key(title))

    def is_there(self, mention: Mention) -> bool:
        """Tell whether `mention` names a file that exists, to the letter."""
        return file_of(mention) in self._existing


def dangling(index: Index, existing: Collection[str], titles: Collection[str]) -> tuple[str, ...]:
    """Return the plain topic names that the index names and that mean no file, in order of their lines.

    Links count anywhere, a bare name only where it opens an entry and a hook or nothing follows: prose and
    code speak of many files.
    """
    keys = {link_key(name) for name in (*existing, *titles)}
    opening = {(entry.at, entry.mentions[0].start) for entry in index.entries if _is_no_prose(index, entry)}
    found: dict[str, None] = {}
    for at, mention in index.mentions:
        in_code = index.line_text(at)[mention.outer_start] == "`"
        counts = mention.is_link or (
            mention.kind == "bare" and (at, mention.start) in opening and not in_code
        )
        file = file_of(mention)
        if counts and link_key(file) not in keys and topic_name_problem(file) is None:
            found[file] = None
    return tuple(found)


def _is_no_prose(index: Index, entry: Entry) -> bool:
    """Tell whether an entry opens with a link, or with a name that a hook or nothing follows."""
    first = entry.mentions[0]
    return first.kind != "bare" or _HOOK.match(index.line_text(entry.at), first.outer_end) is not None


def indexed(index: Index, existing: Collection[str]) -> "Indexed":
    """Return a value that tells quickly, for many topics, whether the index names them."""
    names = {file_of(mention) for _, mention in index.mentions}
    exact = names & frozenset(existing)
    return Indexed(exact, {link_key(name) for name in names - exact})


class Indexed(NamedTuple):
    """The files that an index names exactly, and the keys of its other mentions."""

    exact: Collection[str]
    keys: Collection[str]

    def names(self, file: str, title: str | None) -> bool:
        """Tell whether the index names the topic."""
        if file in self.exact or link_key(file) in self.keys:
            return True
        return title is not None and link_key(title) in self.keys


def plan_line(notebook: Notebook, old: Topic | None, new: Topic, *, adds: bool) -> IndexChange:
    """Plan the index for a topic with a new text: its line is renewed if it is as wuu wrote it.

    Where there is none it is added if `adds` says so, and nothing else names the topic already.
    """
    data, text, index, names = _read(notebook)
    rendered = _rendered(new)
    mine = _entries(index, names, new.file, old)
    if not mine:
        if old is not None and _is_mentioned(index, names, old):
            return IndexChange(None, None, ())
        if not adds:
            return IndexChange(None, None, (_not_indexed(new.file),))
        changed = lines.with_entry(text if data is not None else NEW_INDEX, rendered)
        return _index_change(notebook, data, text, changed, rendered)
    line = lines.entry_text(index, mine[0])
    if line == rendered or old is None:
        return IndexChange(None, line, ())
    if line != _rendered(old):
        if (old.title, old.description) == (new.title, new.description):
            return IndexChange(None, line, ())
        kept = f"{INDEX} line {mine[0].at + 1} was written by hand and stays as it is."
        return IndexChange(None, line, (Caveat("index_line_kept", kept, {"line": mine[0].at + 1}),))
    return _index_change(notebook, data, text, lines.with_entry_replaced(text, mine[0], rendered), rendered)


def plan_rename(notebook: Notebook, topic: Topic, new: str) -> IndexChange:
    """Plan the index for a topic that gets the file name `new`: its entries name it, all else stays."""
    data, text, index, names = _read(notebook)
    mine = _entries(index, names, topic.file, topic)
    changed = text
    for entry in mine:
        mentions = [one for one in entry.mentions if names.means(one, topic.file, topic.title)]
        changed = lines.with_entry_renamed(changed, entry, mentions, new)
    caveats = _still_named(index, names, topic, {entry.at for entry in mine})
    if not mine:
        return IndexChange(None, None, (*caveats, _not_indexed(new)))
    line = lines.entry_text(lines.parse_index(changed), mine[0])
    result = _index_change(notebook, data, text, changed, line)
    return result._replace(caveats=(*caveats, *result.caveats))


def plan_drop(notebook: Notebook, topic: Topic) -> IndexChange:
    """Plan the index for a topic that goes: its entries go, lines that say more are named and stay."""
    data, text, index, names = _read(notebook)
    mine = [
        entry
        for entry in _entries(index, names, topic.file, topic)
        if _is_only_about(index, entry, names, topic)
    ]
    caveats = _still_named(index, names, topic, {at for entry in mine for at in range(entry.at, entry.end)})
    if not mine:
        return IndexChange(None, None, caveats)
    changed = lines.without_entries(text, mine)
    path = notebook.path(INDEX)
    return IndexChange(change(path, data, changed.encode()), None, caveats)


def _read(notebook: Notebook) -> tuple[bytes | None, str, Index, Names]:
    data = notebook.read_index()
    text = "" if data is None else files.decode(data, notebook.path(INDEX))
    return data, text, lines.parse_index(text), Names(notebook.names())


def _entries(index: Index, names: Names, file: str, topic: Topic | None) -> list[Entry]:
    title = topic.title if topic is not None else None
    return [entry for entry in index.entries if names.means(entry.mentions[0], file, title)]


def _is_mentioned(index: Index, names: Names, topic: Topic) -> bool:
    return any(names.means(mention, topic.file, topic.title) for _, mention in index.mentions)


def _is_only_about(index: Index, entry: Entry, names: Names, topic: Topic) -> bool:
    """Tell whether an entry may go with its topic: it is as wuu wrote it, or names no other topic."""
    if lines.entry_text(index, entry) == _rendered(topic):
        return True
    others = [one for one in entry.mentions if not names.means(one, topic.file, topic.title)]
    return not any(one.kind != "bare" or names.is_there(one) for one in others)


def _still_named(index: Index, names: Names, topic: Topic, handled: Collection[int]) -> tuple[Caveat, ...]:
    left = sorted(
        {
            at + 1
            for at, one in index.mentions
            if at not in handled and names.means(one, topic.file, topic.title)
        }
    )
    if not left:
        return ()
    where = ", ".join(str(number) for number in left)
    note = f"{INDEX} names {topic.file} on line {where} as well; that text is yours and stays as it is."
    return (Caveat("still_named", note, {"lines": left}),)


def _rendered(topic: Topic) -> str:
    return lines.render_entry(topic.file, topic.shown_title, topic.description or "")


def _not_indexed(file: str) -> Caveat:
    note = f"{INDEX} has no line for {file}, so sessions do not learn of it there."
    return Caveat("not_indexed", note, {"file": file})


def _index_change(notebook: Notebook, data: bytes | None, old: str, new: str, line: str) -> IndexChange:
    made = change(notebook.path(INDEX), data, fitting(new.encode(), INDEX))
    return IndexChange(made, line, budget_caveats(old, new))


def budget_caveats(old: str, new: str) -> tuple[Caveat, ...]:
    """Warn when sessions do not get the index whole, or not the new line, after a write (case O-14)."""
    before, after = prompt_form(old), prompt_form(new)
    caveats = []
    if after.truncated:
        caveats.append(over_budget(after))
    if len(after.removed_lines) > len(before.removed_lines):
        line = after.removed_lines[-1]
        note = f"{INDEX} line {line} reads like an instruction to the agent; sessions do not get it."
        caveats.append(Caveat("unsafe_line", note, {"lines": list(after.removed_lines)}))
    return tuple(caveats)


def over_budget(form: PromptForm) -> Caveat:
    """Return the warning that an index is cut, with the lines that no session sees."""
    first, last = form.omitted[0], form.omitted[-1]
    note = (
        f"{INDEX} is larger than the {INDEX_LINES} lines and {INDEX_BYTES:,} bytes that a session gets: "
        f"{len(form.omitted)} lines from line {first} to {last} are left out."
    )
    details = {"omitted": len(form.omitted), "first": first, "last": last, "total_lines": form.total_lines}
    return Caveat("index_truncated", note + " wuu notebook budget names them.", details)


def file_of(mention: Mention) -> str:
    """Return the plain file name that a mention is about, with `.md`."""
    return mention.file if mention.file.lower().endswith(".md") else mention.file + ".md"
