"""The check of a notebook: every problem of its index, its topics and its folder, with nothing changed.

Owns the order of things: what is read once, what depends on what, and that a file which cannot be read hides
no other. The single problems are found in the modules `check_…` beside this one.
"""

import os
from collections.abc import Iterator
from typing import NamedTuple

from wuu import clock
from wuu.errors import IoProblem, NotFound, NotUtf8, TooLarge, UnsafeFile
from wuu.notebook.check_files import Folder, find_in_names, is_sync_conflict, temps_in
from wuu.notebook.check_frontmatter import Dates, find_in_frontmatter
from wuu.notebook.check_index import Known, find_in_index, find_missing, words_of_entries
from wuu.notebook.check_text import find_in_text
from wuu.notebook.topics import INDEX, Notebook, topic_of, topics_in
from wuu.notebook.values import Checked
from wuu.problems import Problem, problem
from wuu.store import files
from wuu.store.home import Home
from wuu.text.document import parse_document
from wuu.text.index_lines import Index, parse_index

_LOOKS = 3


def open_folder(folder: str) -> Notebook:
    """Return the notebook in a folder that need not be of a home; links that leave the folder are refused.

    Raises:
        NotFound: There is no such folder, or no Markdown file in it.
        IoProblem: The folder cannot be read.
    """
    place = os.path.abspath(folder)
    hint = f"Name the folder that holds {INDEX}."
    if not os.path.isdir(place):
        what = "is no folder" if os.path.lexists(place) else "is not there"
        raise NotFound(f"{place} {what}.", hint=hint, path=place)
    notebook = Notebook(Home(os.path.realpath(place)), "")
    scan = notebook.scan()
    if not any(name.lower().endswith(".md") for name in (*scan.names, *scan.irregular)):
        raise NotFound(f"There is no notebook in {place}.", hint=hint, path=place)
    return notebook


def check(notebook: Notebook, stale_days: int | None = None) -> Checked:
    """Return every problem of `notebook`, ordered by file (the index first), line and code.

    A folder that changes meanwhile is looked at again, three times at most. Topics that were not verified for
    more than `stale_days` days are problems if that is given.

    Raises:
        UnsafeFile: The folder itself is behind a link that leaves its home.
        IoProblem: The folder itself cannot be read.
    """
    dates = Dates(clock.today(), clock.latest_date(), stale_days)
    scan = notebook.scan()
    for _ in range(_LOOKS):
        found = _look(notebook, scan, dates)
        before, scan = scan, notebook.scan()
        if scan.fingerprint() == before.fingerprint():
            break
    return found


class _Read(NamedTuple):
    """The text of a file, or why there is none; neither if the file is not there."""

    text: str | None = None
    problem: Problem | None = None

    @property
    def is_there(self) -> bool:
        return self.text is not None or self.problem is not None


def _look(notebook: Notebook, scan: files.Scan, dates: Dates) -> Checked:
    place = os.path.normpath(notebook.home.place(notebook.folder))
    subfolders = set(files.names_in(place)).difference(scan.names, scan.irregular)
    folder = Folder(scan, tuple(sorted(subfolders)))
    topics = sorted(entry.name for entry in topics_in(scan))
    read = _read_index(notebook, scan)
    index = None if read.text is None else parse_index(read.text)
    problems = list(find_in_names(folder, writer_at_work=_is_writer_at_work(notebook, scan)))
    titles = _check_topics(notebook, topics, index, dates, problems)
    copies = frozenset(filter(is_sync_conflict, topics))
    known = Known(topics, titles, (*scan.names, *scan.irregular, *subfolders), copies)
    problems += _check_index(read, index, known)
    problems.sort(key=lambda one: (one.file != INDEX, one.file, one.line or 0, one.code))
    return Checked(tuple(problems), len(topics) + read.is_there, place)


def _check_topics(
    notebook: Notebook, topics: list[str], index: Index | None, dates: Dates, problems: list[Problem]
) -> dict[str, str | None]:
    """Add the problems of each topic to `problems`; return the titles of those that can be read.

    One text at a time: together they may be larger than memory.
    """
    words = {} if index is None else words_of_entries(index, topics)
    titles: dict[str, str | None] = {}
    for file in topics:
        read = _read(notebook, file)
        if read.problem is not None:
            problems.append(read.problem)
        elif read.text is not None:
            document = parse_document(read.text)
            topic = topic_of(file, document)
            titles[file] = topic.title
            problems += find_in_frontmatter(topic, document, dates, words.get(file, ()))
            problems += find_in_text(file, read.text)
    return titles


def _check_index(read: _Read, index: Index | None, known: Known) -> Iterator[Problem]:
    if read.problem is not None:
        yield read.problem
    elif read.text is None or index is None:
        yield from find_missing(known)
    else:
        yield from find_in_index(read.text, index, known)
        yield from find_in_text(INDEX, read.text)


def _read_index(notebook: Notebook, scan: files.Scan) -> _Read:
    read = _read(notebook, INDEX)
    if not read.is_there and INDEX in scan.irregular:
        note = f"{INDEX} is a link to what is not there."
        return _Read(problem=problem("unsafe_file", INDEX, None, note, "Put the file itself in its place."))
    return read


def _read(notebook: Notebook, file: str) -> _Read:
    data: bytes | None = None
    try:
        data = notebook.read_index() if file == INDEX else notebook.read(file)
        return _Read(None if data is None else files.decode(data, file))
    except NotUtf8 as error:
        offset = error.details["offset"]
        line = (data or b"").count(b"\n", 0, offset) + 1
        note = f"{file} is not UTF-8 at byte {offset:,}."
        return _Read(problem=problem("not_utf8", file, line, note, "Save it as UTF-8."))
    except TooLarge:
        note = f"{file} is larger than {files.MAX_FILE_BYTES:,} bytes, the most that is read."
        fix = "Shorten it." if file == INDEX else "Split it into several topics."
        return _Read(problem=problem("too_large", file, None, note, fix))
    except UnsafeFile:
        note = f"{file} is a link or a special file, and is not read."
        fix = "Put the file itself in its place."
        return _Read(problem=problem("unsafe_file", file, None, note, fix))
    except IoProblem as error:
        reason = os.strerror(error.details.get("errno") or 0)
        note = f"The system does not let wuu read {file}: {reason}."
        return _Read(problem=problem("unreadable", file, None, note, "Look at its permissions and its disk."))


def _is_writer_at_work(notebook: Notebook, scan: files.Scan) -> bool:
    """Tell whether a temporary file may be that of a writer who is not dead: the lock of its home is held."""
    if not temps_in(scan):
        return False
    from wuu.store.locks import is_held  # noqa: PLC0415  (5 x bare Python, and temps are rare)

    homes = [notebook.home] if notebook.folder else [notebook.home, Home(os.path.dirname(notebook.home.root))]
    return any(is_held(home) for home in homes)
