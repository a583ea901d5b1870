"""Snapshots, the list and the budget of a notebook, as memory.notebook 1.1.0 names them (seed 000).

Everything here reads. A file that cannot be read is an entry with an error, never a missing one (case O-06).
"""

from typing import Any

from wuu import clock
from wuu.errors import Caveat, WuuError
from wuu.notebook import index
from wuu.notebook.topics import INDEX, Notebook, Topic, get_topic_text, irregular_in, parse_topic, topics_in
from wuu.notebook.values import BudgetReport, Snapshot, TopicList
from wuu.store import files
from wuu.store.changes import digest_of
from wuu.store.files import FileStat
from wuu.store.state import Tally
from wuu.text import index_lines
from wuu.text.budget import INDEX_BYTES, INDEX_LINES, PromptForm, cut_utf8, prompt_form, read_limit

READ_DEFAULT, READ_MAXIMUM = 16_384, 65_536


def read_topic(notebook: Notebook, file: str, max_bytes: int | None) -> Snapshot:
    """Return a topic, cut to `max_bytes` UTF-8 bytes: 0 or None means 16,384, at most 65,536.

    Raises:
        UsageProblem: `max_bytes` is negative or too large.
        NotUtf8, UnsafeFile, TooLarge: The file cannot be served.
    """
    limit = read_limit(max_bytes, READ_DEFAULT, READ_MAXIMUM)
    data = notebook.read(file)
    if data is None:
        notebook.scan()  # refuses a folder that is none: that is no empty notebook
        return Snapshot(file, False, None, "", truncated=False)
    text = files.decode(data, notebook.path(file))
    content = cut_utf8(text, limit)
    return Snapshot(file, True, digest_of(data), content, truncated=len(content) < len(text))


def read_index(notebook: Notebook, max_bytes: int | None) -> Snapshot:
    """Return MEMORY.md as a session gets it, at most `max_bytes` UTF-8 bytes (0 or None: 25,000)."""
    limit = read_limit(max_bytes, INDEX_BYTES, INDEX_BYTES)
    data = notebook.read_index()
    if data is None:
        notebook.scan()
        return Snapshot(INDEX, False, None, "", truncated=False)
    text = files.decode(data, notebook.path(INDEX))
    whole = prompt_form(text)
    form = whole if limit == INDEX_BYTES else prompt_form(text, INDEX_LINES, limit)
    return Snapshot(INDEX, True, digest_of(data), form.text, form.truncated, _index_caveats(whole))


def list_topics(notebook: Notebook, tallies: dict[str, Tally]) -> TopicList:
    """Return metadata of every topic, without bodies, with how often each was read."""
    scan = notebook.scan()
    topics = sorted(topics_in(scan))
    caveats = [irregular_caveat(name) for name in irregular_in(scan)]
    text, index_value = _index_value(notebook, caveats)
    parsed = index_lines.parse_index(text)
    names = [entry.name for entry in topics]
    indexed = index.indexed(parsed, names)
    entries = []
    titles = []
    for entry in topics:
        topic, error = _topic_or_error(notebook, entry.name)
        title = topic.title if topic is not None else None
        titles += [title] if title else []
        value = _entry(entry, topic, tallies.get(entry.name))
        value["indexed"] = indexed.names(entry.name, title)
        if error is not None:
            value["error"] = {"code": error.code, "message": error.message}
            caveats.append(Caveat(error.code, error.message, {"file": entry.name, **error.details}))
        entries.append(value)
    dangling = list(index.dangling(parsed, names, titles))
    return TopicList(
        {"version": 1, "index": index_value, "files": entries, "dangling": dangling}, tuple(caveats)
    )


def report_budget(notebook: Notebook) -> BudgetReport:
    """Say which lines of the index a session does not get, and how much room is left."""
    caveats: list[Caveat] = []
    data = notebook.read_index()
    text = "" if data is None else files.decode(data, notebook.path(INDEX))
    form = prompt_form(text)
    caveats += _index_caveats(form)
    shown_lines = form.text.count("\n") + 1 if form.text else 0
    shown_bytes = len(form.text.encode())
    value = {
        "found": data is not None,
        "bytes": len(data or b""),
        "lines": form.total_lines,
        "shown_bytes": shown_bytes,
        "shown_lines": shown_lines,
        "max_bytes": INDEX_BYTES,
        "max_lines": INDEX_LINES,
        "used_percent": _percent(text),
        "truncated": form.truncated,
        "omitted": _omitted(text, form),
        "removed_lines": list(form.removed_lines),
    }
    return BudgetReport(value, tuple(caveats))


def _percent(text: str) -> int:
    """Return how full the index is, in percent of the limit that is nearer, counting what does not fit."""
    trimmed = text.strip()
    lines = trimmed.count("\n") + 1 if trimmed else 0
    return max(lines * 100 // INDEX_LINES, len(trimmed.encode()) * 100 // INDEX_BYTES)


def _omitted(text: str, form: PromptForm) -> list[dict[str, Any]]:
    """Return the lines that no session gets: number, text, and the topic of an entry."""
    if not form.omitted:
        return []
    parsed = index_lines.parse_index(text)
    topics = {entry.at + 1: entry.mentions[0].file for entry in parsed.entries}
    left = []
    for number in form.omitted:
        content = parsed.lines[number - 1].content
        if content.strip():
            left.append({"line": number, "file": topics.get(number), "text": content})
    return left


def _index_value(notebook: Notebook, caveats: list[Caveat]) -> tuple[str, dict[str, Any]]:
    """Return the text of the index and what the list says of it; a broken one does not hide the topics."""
    value: dict[str, Any] = {
        "found": False,
        "bytes": 0,
        "lines": 0,
        "max_bytes": INDEX_BYTES,
        "max_lines": INDEX_LINES,
    }
    value["truncated"] = False
    try:
        data = notebook.read_index()
        text = "" if data is None else files.decode(data, notebook.path(INDEX))
    except WuuError as error:
        caveats.append(Caveat(error.code, error.message, {"file": INDEX, **error.details}))
        return "", {**value, "found": True, "error": {"code": error.code, "message": error.message}}
    if data is not None:
        form = prompt_form(text)
        value |= {"found": True, "bytes": len(data), "lines": form.total_lines, "truncated": form.truncated}
        caveats += _index_caveats(form)
    return text, value


def _index_caveats(form: PromptForm) -> tuple[Caveat, ...]:
    found = [index.over_budget(form)] if form.truncated else []
    if form.removed_lines:
        numbers = ", ".join(str(number) for number in form.removed_lines)
        what = "reads like an instruction to the agent or hides characters"
        note = f"{INDEX} line {numbers} {what}; sessions do not get it."
        found.append(Caveat("unsafe_line", note, {"lines": list(form.removed_lines)}))
    return tuple(found)


def _topic_or_error(notebook: Notebook, file: str) -> tuple[Topic | None, WuuError | None]:
    try:
        text = get_topic_text(notebook, file)
    except WuuError as error:
        return None, error
    return parse_topic(file, text or ""), None


def _entry(entry: FileStat, topic: Topic | None, tally: Tally | None) -> dict[str, Any]:
    value: dict[str, Any] = {"file": entry.name, "bytes": entry.size, "reads": tally.times if tally else 0}
    if tally:
        value["last_read_at"] = clock.rfc3339(tally.last)
    if topic is not None:
        fields = {key: getattr(topic, key) for key in ("title", "type", "description", "verified")}
        value |= {key: text for key, text in fields.items() if text}
        if topic.sources:
            value["sources"] = list(topic.sources)
    return value


def irregular_caveat(name: str) -> Caveat:
    """Return the warning about a link or special file in the notebook, which is not read (case O-18)."""
    return Caveat(
        "unsafe_file", f"{name} is a link, a special file or no plain name, and is not read.", {"file": name}
    )
