"""Searching topics: the derived index is brought up to date first, and what is shown is read from the files.

Apart from `actions` because it imports SQLite. The index of the notebook, MEMORY.md, is not searched: sessions get it
anyway, and it repeats the title of every topic.
"""

from collections.abc import Iterator

from wuu.errors import Caveat, UsageProblem, WuuError
from wuu.notebook.topics import Notebook, get_topic_text, parse_topic
from wuu.notebook.values import SearchResult, TopicHit
from wuu.search.index import open_index
from wuu.search.snippets import find_snippet
from wuu.situation.cache import find_cache, prepare_cache
from wuu.store.files import FileStat
from wuu.text.words import words

MOST = 1_000


def search(notebook: Notebook, query: str, limit: int) -> SearchResult:
    """Return the topics that hold any word of `query`, best first; see `actions.search_topics`."""
    if not query.strip():
        raise UsageProblem("The query is empty.", hint="Give a word to look for.")
    if not 1 <= limit <= MOST:
        raise UsageProblem(f"--limit is between 1 and {MOST:,}; got {limit}.")
    wanted = words(query)
    found = notebook.files()
    caveats = [Caveat("unsafe_file", f"{name} is a link or a special file, and is not read.", {"file": name}) for name in found.irregular]
    if not wanted:
        return _literal(notebook, query, limit, found.topics, caveats)
    with open_index(prepare_cache(notebook.home.root, notebook.folder)) as index:
        index.refresh(found.topics, lambda file: _searchable(notebook, file))
        best, total = index.search(wanted, limit)
        broken = index.unreadable()
    caveats += [_broken(notebook, file) for file in broken]
    hits = tuple(hit for file, score in best if (hit := _hit(notebook, file, score, wanted)) is not None)
    return SearchResult(query, hits, total, tuple(caveats))


def purge(notebook: Notebook) -> None:
    """Take the words of topics that are gone out of the index file, if there is one."""
    place = find_cache(notebook.home.root, notebook.folder)
    if place is not None:
        with open_index(place) as index:
            index.refresh(notebook.files().topics, lambda file: _searchable(notebook, file))


def _searchable(notebook: Notebook, file: str) -> str | None:
    try:
        text = get_topic_text(notebook, file)
    except WuuError:
        return None
    return None if text is None else f"{file.removesuffix('.md')}\n{text}"


def _broken(notebook: Notebook, file: str) -> Caveat:
    try:
        get_topic_text(notebook, file)
    except WuuError as error:
        return Caveat(error.code, error.message, {"file": file, **error.details})
    return Caveat("changed_on_disk", f"{file} changed while it was searched.", {"file": file})


def _hit(notebook: Notebook, file: str, score: float, wanted: list[str]) -> TopicHit | None:
    """Return a hit as its file stands now; one that is gone since is no hit."""
    text = _text_now(notebook, file)
    if text is None:
        return None
    line, snippet = find_snippet(text, wanted)
    return TopicHit(file, parse_topic(file, text).shown_title, round(score, 6), line, snippet)


def _text_now(notebook: Notebook, file: str) -> str | None:
    try:
        return get_topic_text(notebook, file)
    except WuuError:
        return None


def _literal(
    notebook: Notebook, query: str, limit: int, topics: list[FileStat], caveats: list[Caveat]
) -> SearchResult:
    """Look for a query without a single word, such as `(` or `NOT`, as it stands in every topic (case O-22)."""
    hits = list(_literal_hits(notebook, query.casefold(), topics))
    return SearchResult(query, tuple(hits[:limit]), len(hits), tuple(caveats))


def _literal_hits(notebook: Notebook, needle: str, topics: list[FileStat]) -> Iterator[TopicHit]:
    for entry in sorted(topics):
        text = _text_now(notebook, entry.name)
        if text is None or needle not in f"{entry.name}\n{text}".casefold():
            continue
        lines = text.split("\n")
        at = next((number for number, line in enumerate(lines) if needle in line.casefold()), 0)
        _, snippet = find_snippet(lines[at], [])
        yield TopicHit(entry.name, parse_topic(entry.name, text).shown_title, 1.0, at + 1, snippet)
