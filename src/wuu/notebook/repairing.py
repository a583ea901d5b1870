"""What a program may mend in a notebook: the lines of the index that follow from which topics there are.

Owns `notebook repair`: entries are added for topics that the index does not name, and dropped where they are
about nothing else than topics that are not there. No topic and no prose is touched; where it is not certain
what a line means, it stays and is named.
"""

from collections.abc import Collection
from typing import NamedTuple

from wuu.errors import Caveat, Refused, WuuError
from wuu.notebook import index
from wuu.notebook.check_files import is_sync_conflict, temps_in
from wuu.notebook.check_index import find_dangling
from wuu.notebook.topics import INDEX, Notebook, Topic, get_topic_text, parse_topic, topics_in
from wuu.notebook.values import IndexLine, Repaired
from wuu.store import files
from wuu.store.changes import Change, ChangeSet, change
from wuu.text import index_lines as lines
from wuu.text.conflicts import find_conflict_marker
from wuu.text.index_lines import Entry, Index
from wuu.text.safety import find_unsafe_lines
from wuu.text.secrets import find_secrets


class _Folder(NamedTuple):
    """What stands in the folder: topics that can be read, the unread, and all names that a line may mean."""

    topics: tuple[Topic, ...]
    unread: tuple[str, ...]
    names: tuple[str, ...]
    temps: tuple[str, ...]


class _Index(NamedTuple):
    """MEMORY.md: its bytes (None: there is none), its text, and what the text says."""

    data: bytes | None
    text: str
    parsed: Index


def plan_repair(notebook: Notebook) -> ChangeSet[Repaired]:
    """Plan an index that names every topic, and none that is not there; `temps` are not part of the change.

    Raises:
        Refused: A merge was left unfinished in the index: what its lines mean is open.
        NotUtf8, TooLarge, UnsafeFile: The index cannot be read, or would grow too large.
    """
    folder, current = _read_folder(notebook), _read_index(notebook)
    dropped, kept = _doomed(current.parsed, folder)
    text = lines.without_entries(current.text, dropped) if dropped else current.text
    added, left_out = _missing(lines.parse_index(text), folder)
    if added:
        base = index.NEW_INDEX if current.data is None else text
        text = lines.with_entries(base, [one.text for one in added])
    gone = tuple(IndexLine(_file_of(entry), lines.entry_text(current.parsed, entry)) for entry in dropped)
    made = _change(notebook, current, text)
    caveats = (*kept, *left_out, *(index.budget_caveats(current.text, text) if made else ()))
    return ChangeSet(made, Repaired(added, gone, folder.temps, caveats))


def _read_folder(notebook: Notebook) -> _Folder:
    scan = notebook.scan()
    topics, unread = [], []
    for entry in sorted(topics_in(scan)):
        try:
            text = get_topic_text(notebook, entry.name)
        except WuuError:
            unread.append(entry.name)
            continue
        if text is not None:
            topics.append(parse_topic(entry.name, text))
    names = (*scan.names, *scan.irregular, *notebook.home.folders(notebook.folder))
    return _Folder(tuple(topics), tuple(unread), names, tuple(sorted(temps_in(scan))))


def _read_index(notebook: Notebook) -> _Index:
    data = notebook.read_index()
    text = "" if data is None else files.decode(data, notebook.path(INDEX))
    if find_conflict_marker(text) is not None:
        note = f"A merge was left unfinished in {INDEX}, so it is not clear which lines count."
        raise Refused(note, hint="Settle it in an editor first.", file=INDEX)
    return _Index(data, text, lines.parse_index(text))


def _doomed(parsed: Index, folder: _Folder) -> tuple[list[Entry], tuple[Caveat, ...]]:
    """Return the entries that go, and what to say of lines that stay though they name what is not there."""
    titles = {topic.file: topic.title for topic in folder.topics}
    dangling = find_dangling(parsed, folder.names, titles)
    if dangling and folder.unread:
        note = f"No line was dropped: one may mean {', '.join(folder.unread)}, which cannot be read."
        return [], (Caveat("topic_unread", note, {"files": list(folder.unread)}),)
    names = index.Names(folder.names)
    doomed = [entry for entry in parsed.entries if _is_only_about(entry, dangling.get(entry.at, ()), names)]
    handled = {at for entry in doomed for at in range(entry.at, entry.end)}
    stay = [at + 1 for at in dangling if at not in handled]
    if not stay:
        return doomed, ()
    where = ", ".join(map(str, stay))
    note = f"{INDEX} line {where} says more than which topic is gone; it is yours and stays as it is."
    return doomed, (Caveat("still_named", note, {"lines": stay}),)


def _is_only_about(entry: Entry, dangling: Collection[str], names: index.Names) -> bool:
    """Tell whether an entry is about a topic that is not there, and no link of it leads anywhere else."""
    first, *others = entry.mentions
    if index.file_of(first) not in dangling:
        return False
    return all(
        index.file_of(one) in dangling or (one.kind == "bare" and not names.is_there(one)) for one in others
    )


def _missing(parsed: Index, folder: _Folder) -> tuple[tuple[IndexLine, ...], tuple[Caveat, ...]]:
    """Return a line for each topic that the index does not name, and what to say of those that get none."""
    indexed = index.indexed(parsed, [topic.file for topic in folder.topics])
    added, caveats = [], []
    for topic in folder.topics:
        if indexed.names(topic.file, topic.title):
            continue
        line = lines.render_entry(topic.file, topic.shown_title, topic.description or "")
        problem = _objection(topic.file, line)
        if problem is None:
            added.append(IndexLine(topic.file, line))
        else:
            note = f"{topic.file} got no line in {INDEX}: {problem}."
            caveats.append(Caveat("not_indexed", note, {"file": topic.file}))
    return tuple(added), tuple(caveats)


def _objection(file: str, line: str) -> str | None:
    if is_sync_conflict(file):
        return "it looks like a copy that a synchronisation service left"
    if find_unsafe_lines(line):
        return "its name or description reads like an instruction to the agent, or hides characters"
    return "its name or description holds what looks like a credential" if find_secrets(line) else None


def _change(notebook: Notebook, current: _Index, text: str) -> tuple[Change, ...]:
    if text == current.text:
        return ()
    return (change(notebook.path(INDEX), current.data, index.fitting(text.encode(), INDEX)),)


def _file_of(entry: Entry) -> str:
    return index.file_of(entry.mentions[0])
