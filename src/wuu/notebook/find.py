"""Searching topics: the derived index is brought up to date first, and what is shown is read from the files.

Apart from `actions` because it imports SQLite. The index of the notebook, MEMORY.md, is not searched:
sessions get it anyway, and it repeats the title of every topic.
"""

from collections.abc import Iterator

from wuu.errors import Caveat, UsageProblem, WuuError
from wuu.notebook.reading import irregular_caveat
from wuu.notebook.topics import Notebook, get_topic_text, irregular_in, parse_topic, topics_in
from wuu.notebook.values import SearchResult, TopicHit
from wuu.search.index import Refresh, SearchIndex, discard_index, open_index
from wuu.search.snippets import find_phrase, find_snippet
from wuu.situation.cache import find_cache, prepare_cache
from wuu.store.files import FileStat, Scan
from wuu.text.words import words

MOST = 1_000


def search(notebook: Notebook, query: str, limit: int) -> SearchResult:
    """Return the topics that hold any word of `query`, best first; see `actions.search_topics`."""
    if not query.strip():
        raise UsageProblem("The query is empty.", hint="Give a word to look for.")
    if not 1 <= limit <= MOST:
        raise UsageProblem(f"--limit is between 1 and {MOST:,}; got {limit}.")
    wanted = words(query)
    scan = notebook.scan()
    caveats = [irregular_caveat(name) for name in irregular_in(scan)]
    hits: tuple[TopicHit, ...] = ()
    total = 0
    if wanted:
        with open_index(prepare_cache(notebook.home.root, notebook.folder)) as index:
            _refresh(index, notebook, scan)
            total, best = index.search(wanted, limit)
            caveats += [_broken(notebook, file) for file in index.find_unreadable()]
        hits = tuple(hit for file, score in best if (hit := _hit(notebook, file, score, wanted)) is not None)
    if not total:
        found = list(_literal_hits(notebook, query, topics_in(scan)))
        hits, total = tuple(found[:limit]), len(found)
    return SearchResult(query, hits, total, tuple(caveats))


def purge(notebook: Notebook) -> None:
    """Take the words of topics that are gone out of the index file, or the whole file where that fails."""
    place = find_cache(notebook.home.root, notebook.folder)
    if place is None:
        return
    with open_index(place) as index:
        kept_elsewhere = _refresh(index, notebook, notebook.scan()).in_memory
    if kept_elsewhere:
        discard_index(place)


def _refresh(index: SearchIndex, notebook: Notebook, scan: Scan) -> Refresh:
    return index.refresh(
        lambda: topics_in(scan), lambda file: _searchable(notebook, file), fingerprint=scan.fingerprint()
    )


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


def _literal_hits(notebook: Notebook, query: str, topics: list[FileStat]) -> Iterator[TopicHit]:
    """Look for the query as it stands, in every topic: one without words, or inside a word (O-22, O-23)."""
    for entry in sorted(topics):
        text = _text_now(notebook, entry.name)
        if text is None:
            continue
        found = find_phrase(text, query)
        if found is None and find_phrase(entry.name, query):
            found = find_snippet(text, [])
        if found is not None:
            yield TopicHit(entry.name, parse_topic(entry.name, text).shown_title, 1.0, found.line, found.text)
