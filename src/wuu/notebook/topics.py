"""Topic files: their names, their fields, how one is read and how one is laid out.

Owns the format of the notebook's topics (seed 000, "Each topic file starts with frontmatter"; FACTS, "Wuu
notebook"). It writes nothing.
"""

import os
import re
from typing import NamedTuple

from wuu.errors import UsageProblem
from wuu.store import files
from wuu.store.files import FileStat, Scan
from wuu.store.home import Home
from wuu.text import document as md
from wuu.text.document import Document
from wuu.text.normalise import name_problem, topic_name_problem
from wuu.text.scalars import render_list, render_scalar

INDEX = "MEMORY.md"
TYPES = ("user", "feedback", "reference", "lesson")
DEFAULT_TYPE = "reference"

_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_HEADING = re.compile(r"^#{1,6}[ \t]+([^\n]*)", re.MULTILINE)


class Notebook(NamedTuple):
    """A folder of the home with topic files and their index; with an empty name, the home's own folder."""

    home: Home
    folder: str = "memory"

    def path(self, file: str) -> str:
        """Return the path of a file of the notebook inside its home."""
        return f"{self.folder}/{file}" if self.folder else file

    def read(self, file: str) -> bytes | None:
        """Return the bytes of a topic, or None if there is none; a link is refused."""
        return self.home.read(self.path(file), follow=False)

    def read_index(self) -> bytes | None:
        """Return the bytes of MEMORY.md, or None; a link that stays in the home is followed."""
        return self.home.read(self.path(INDEX))

    def scan(self) -> Scan:
        """Return what stands in the folder, topics or not."""
        if self.folder:
            return self.home.scan(self.folder)
        return files.scan_directory(*os.path.split(self.home.root))

    def topics(self) -> list[FileStat]:
        """Return the topic files that are there, in no order."""
        return topics_in(self.scan())

    def names(self) -> list[str]:
        """Return the names of the topic files that are there, in no order."""
        return [name for name in self.scan().names if name_problem(name) is None]


def topics_in(scan: Scan) -> list[FileStat]:
    """Return the topic files of a scanned notebook."""
    return [entry for entry in scan.stats() if name_problem(entry.name) is None]


def irregular_in(scan: Scan) -> list[str]:
    """Return what looks like a topic in a scanned notebook and is not read.

    That is links and special files (case O-18), and names that no terminal shows.
    """
    unread = [name for name in scan.irregular if not name.startswith(".") and name != INDEX]
    unread += [
        name
        for name in scan.names
        if not name.isprintable() and name.endswith(".md") and name[0] != "." and name_problem(name)
    ]
    return sorted(unread)


class Topic(NamedTuple):
    """What a topic file says about itself. None means that the file does not say."""

    file: str
    title: str | None
    description: str | None
    type: str | None
    verified: str | None
    sources: tuple[str, ...]

    @property
    def shown_title(self) -> str:
        """The title, or the file name without `.md` where there is none."""
        return self.title or self.file.removesuffix(".md")


def parse_topic(file: str, text: str) -> Topic:
    """Return the fields of a topic; the title may come from `title:` or the first heading (case O-09)."""
    return topic_of(file, md.parse_document(text))


def topic_of(file: str, document: Document) -> Topic:
    """Return the fields of a topic that is parsed already; see `parse_topic`."""
    title = md.field_text(document, "name") or md.field_text(document, "title") or _heading(document.body)
    return Topic(
        file,
        title,
        md.field_text(document, "description"),
        md.field_text(document, "type"),
        md.field_text(document, "verified"),
        md.field_list(document, "sources"),
    )


def get_topic_text(notebook: Notebook, file: str) -> str | None:
    """Return the text of a topic, or None if there is none.

    Raises:
        NotUtf8: Names the file and the offset of the first bad byte.
        UnsafeFile: It is a link or not a regular file.
        TooLarge: It is larger than 256 KiB.
    """
    data = notebook.read(file)
    return None if data is None else files.decode(data, notebook.path(file))


def check_name(file: str, *, new: bool = False) -> None:
    """Refuse a name that is not a plain, visible `.md` base name, or for a `new` file not valid everywhere.

    Raises:
        UsageProblem: Says what is wrong with it (cases O-17, O-19).
    """
    problem = topic_name_problem(file) if new else name_problem(file)
    if problem is not None:
        raise UsageProblem(
            f"{file!r} cannot be a topic: it {problem}.",
            hint="Use a plain name such as deploy-steps.md.",
            file=file,
        )


def is_date(value: str) -> bool:
    """Tell whether `value` is a real date in the form YYYY-MM-DD."""
    match = _DATE.fullmatch(value)
    if match is None:
        return False
    year, month, day = (int(part) for part in match.groups())
    return year > 0 and 1 <= month <= 12 and 1 <= day <= _days(year, month)


def render_topic(fields: dict[str, str], body: str) -> str:
    """Return a new topic file: `fields`, rendered already, a blank line, and the body with a last newline."""
    block = "".join(f"{key}: {value}\n" for key, value in fields.items())
    return f"---\n{block}---\n\n{ended(body)}"


def rendered_fields(
    name: str | None,
    description: str | None,
    topic_type: str | None,
    verified: str | None,
    sources: tuple[str, ...],
) -> dict[str, str]:
    """Return the given fields as they stand in a file, without those that are None or empty.

    `verified` is never quoted: the application takes quotes for part of the date.
    """
    fields = {
        key: render_scalar(value) for key, value in (("name", name), ("description", description)) if value
    }
    if topic_type:
        fields["type"] = render_scalar(topic_type)
    if verified:
        fields["verified"] = verified
    if sources:
        has_comma = any("," in source for source in sources)
        fields["sources"] = render_list(sources) if has_comma else render_scalar(", ".join(sources))
    return fields


def ended(body: str) -> str:
    """Return `body` with a newline at its end, unless it is empty."""
    return body if not body or body.endswith("\n") else body + "\n"


def _heading(body: str) -> str | None:
    for match in _HEADING.finditer(body):
        if title := match.group(1).rstrip(" \t#\r").lstrip():
            return title
    return None


def _days(year: int, month: int) -> int:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31
