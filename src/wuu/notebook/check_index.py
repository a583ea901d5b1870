"""Problems of MEMORY.md beside its topics: what it names that is not there, and what it does not name.

Also its size (case O-14) and links that lead out of the folder. Prose, tables, headings and code are nobody's
business (case O-40). It reads no files; which topic a mention means is decided by `index`.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from wuu.notebook import index as meaning
from wuu.notebook.check_links import find_leaving
from wuu.notebook.topics import INDEX
from wuu.problems import Problem, problem
from wuu.text.budget import INDEX_BYTES, INDEX_LINES, PromptForm, prompt_form
from wuu.text.index_lines import Entry, Index
from wuu.text.mentions import Mention
from wuu.text.normalise import link_key

NEARLY_FULL = 90
"""From how many percent of its lines or bytes an index is nearly full (case O-14)."""

_SHOWN_FILES = 50


class Known(NamedTuple):
    """What the index is held against: the topics, their titles, all names in the folder, conflict copies.

    `titles` has the topics that could be read; a title may be None.
    """

    topics: Collection[str]
    titles: Mapping[str, str | None]
    names: Collection[str]
    copies: Collection[str]


def find_in_index(text: str, index: Index, known: Known) -> Iterator[Problem]:
    """Yield what is wrong with the index `text`, which `index` is."""
    yield from _dangling(index, known)
    yield from _not_indexed(index, known)
    yield from _duplicates(index, known)
    yield from find_leaving(index)
    yield from _size(text, index)


def find_missing(known: Known) -> Iterator[Problem]:
    """Yield that there is no index, if there is anything that it should name."""
    other = next((name for name in sorted(known.names) if name.casefold() == INDEX.casefold()), None)
    if other is not None:
        yield problem("index_missing", INDEX, None, f"There is no {INDEX}, but {other}.", f"Call it {INDEX}.")
    elif known.topics:
        note = f"There are {len(known.topics):,} topics and no {INDEX} that names them."
        yield problem("index_missing", INDEX, None, note, "wuu notebook repair writes one.")


class Targets:
    """Which topic a mention means, quickly, for many of them; the rules are those of `index.Names`."""

    def __init__(self, topics: Collection[str], titles: Mapping[str, str | None]) -> None:
        self._exact = frozenset(topics)
        self._keys = {link_key(title): file for file, title in titles.items() if title}
        self._keys |= {link_key(file): file for file in topics}

    def find(self, mention: Mention) -> str | None:
        """Return the topic that a mention means."""
        named = meaning.file_of(mention)
        return named if named in self._exact else self._keys.get(link_key(mention.file))


def words_of_entries(index: Index, topics: Collection[str]) -> Mapping[str, list[str]]:
    """Return per topic how its entries begin: the labels of their links, and what stands behind them."""
    targets = Targets(topics, {})
    words: dict[str, list[str]] = defaultdict(list)
    for entry in index.entries:
        file = targets.find(entry.mentions[0])
        if file is not None:
            words[file] += _label_and_hook(index, entry)
    return words


def _label_and_hook(index: Index, entry: Entry) -> tuple[str, str]:
    content, mention = index.lines[entry.at].content, entry.mentions[0]
    label = content[mention.outer_start : mention.start].lstrip("[").split("](", maxsplit=1)[0]
    return label.strip(), content[mention.outer_end :].lstrip(" \t*_|—–:-")


def find_dangling(
    index: Index, names: Collection[str], titles: Mapping[str, str | None]
) -> dict[int, tuple[str, ...]]:
    """Return per line of the index, by its place from 0, the topics that it names and that are not there."""
    gone = frozenset(meaning.dangling(index, names, [title for title in titles.values() if title]))
    entries = {entry.at: entry for entry in index.entries}
    lines: dict[int, list[tuple[int, Mention]]] = defaultdict(list)
    for at, mention in index.mentions:
        if meaning.file_of(mention) in gone:
            lines[at].append((at, mention))
    found = {}
    for at, mentions in lines.items():
        own = (entries[at],) if at in entries else ()
        found[at] = meaning.dangling(index._replace(entries=own, mentions=tuple(mentions)), (), ())
    return {at: files for at, files in found.items() if files}


def _dangling(index: Index, known: Known) -> Iterator[Problem]:
    for at, files in find_dangling(index, known.names, known.titles).items():
        for file in files:
            note = f"{INDEX} names {file} on line {at + 1}, and there is no such topic."
            yield problem("dangling_link", INDEX, at + 1, note, "Drop the entry, or write the topic.")


def _not_indexed(index: Index, known: Known) -> Iterator[Problem]:
    indexed = meaning.indexed(index, known.topics)
    for file, title in known.titles.items():
        if file not in known.copies and not indexed.names(file, title):
            note = f"{INDEX} does not name {file}, so sessions do not learn of it."
            yield problem("not_indexed", file, None, note, "wuu notebook repair adds its line.")


def _duplicates(index: Index, known: Known) -> Iterator[Problem]:
    targets = Targets(known.topics, known.titles)
    first: dict[str, int] = {}
    for entry in index.entries:
        file = targets.find(entry.mentions[0])
        if file is None:
            continue
        if file in first:
            note = (
                f"The entries on line {first[file]} and line {entry.at + 1} of {INDEX} are both about {file}."
            )
            yield problem("duplicate_entry", INDEX, entry.at + 1, note, "Make one of them.")
        first.setdefault(file, entry.at + 1)


def _size(text: str, index: Index) -> Iterator[Problem]:
    form = prompt_form(text)
    whole = prompt_form(text, len(text) + 1, len(text) * 4 + 1)
    lines, size = whole.text.count("\n") + 1, len(whole.text.encode())
    figures = (
        f"{INDEX} has {lines:,} of the {INDEX_LINES} lines and {size:,} of the {INDEX_BYTES:,} bytes"
        " that a session gets"
    )
    if form.truncated:
        yield _over_budget(figures, index, form)
    elif lines * 100 > INDEX_LINES * NEARLY_FULL or size * 100 > INDEX_BYTES * NEARLY_FULL:
        fix = "Shorten its lines, or move what is rarely needed into topics."
        yield problem("index_nearly_full", INDEX, None, f"{figures}: over {NEARLY_FULL} % are used.", fix)


def _over_budget(figures: str, index: Index, form: PromptForm) -> Problem:
    """Say which entries no session sees; one shown in part does not fit either."""
    omitted = frozenset(form.omitted)
    lost = [entry for entry in index.entries if entry.at + 1 in omitted]
    files = list(dict.fromkeys(meaning.file_of(entry.mentions[0]) for entry in lost))
    line = lost[0].at + 1 if lost else form.omitted[0]
    named = ", ".join(files[:_SHOWN_FILES])
    more = f" and {len(files) - _SHOWN_FILES:,} more" if len(files) > _SHOWN_FILES else ""
    count = "1 entry does" if len(lost) == 1 else f"{len(lost):,} entries do"
    what = f"{count} not fit ({named}{more})" if lost else "the last lines do not fit"
    fix = "Shorten it, or put what matters first: wuu notebook budget shows every line that is left out."
    return problem("index_over_budget", INDEX, line, f"{figures}: {what}.", fix)
