"""What a write answers: what was written where, in the words of a person and as JSON."""

from typing import Any

from wuu.cli.call import Call
from wuu.cli.output import Reply
from wuu.notebook.values import TopicChange
from wuu.situation.writing import Written

_SHOWN = 60


def reply_of(call: Call, done: Written[TopicChange]) -> Reply:
    """Return the reply of a command that changed a topic, tried to, or did so already."""
    topic = done.outcome
    data: dict[str, Any] = {
        "file": topic.file if topic else _file_of(done),
        "revision": _revision_of(done),
        "changes": _changes(done),
        "dry_run": done.dry_run,
        "replayed": done.replayed,
        "index_line": topic.line if topic else None,
    }
    data["notice"] = _notice(done, data["file"])
    caveats = (*done.caveats, *(topic.caveats if topic else ()))
    text = "" if call.quiet else f"{data['notice']}\n"
    if done.dry_run:
        from wuu.cli.difference import render_difference  # noqa: PLC0415  (only dry runs show one)

        data["diff"] = render_difference(call.situation.home, done.changes)
        return Reply(data, data["diff"], data["notice"], caveats)
    return Reply(data, text, "", caveats, done.receipt)


def _notice(done: Written[TopicChange], file: str | None) -> str:
    topic = done.outcome
    if topic is None:
        return f"Done before · {file}" if file else "Done before."
    if not done.changes:
        return f"Nothing to change · {topic.file}"
    title = topic.title if len(topic.title) <= _SHOWN else topic.title[:_SHOWN] + "…"
    parts = [f"Topic {topic.verb}", topic.type, topic.file, f'"{title}"']
    return ("Dry run · " if done.dry_run else "") + " · ".join(part for part in parts if part)


def _changes(done: Written[TopicChange]) -> list[dict[str, str | None]]:
    if done.receipt is not None:
        triples = list(done.receipt.files)
    else:
        triples = [(one.path, one.before, one.after_digest) for one in done.changes]
    return [{"path": path, "before": before, "after": after} for path, before, after in triples]


def _file_of(done: Written[TopicChange]) -> str | None:
    """Return the topic that an earlier receipt is about: the one that was written, else the one that went."""
    written_first = sorted(_changes(done), key=lambda one: one["after"] is None)
    names = [_base_name(one) for one in written_first]
    return next((name for name in names if name != "MEMORY.md"), None)


def _revision_of(done: Written[TopicChange]) -> str | None:
    """Return the revision that the topic has now, None if it is gone."""
    if done.outcome is not None:
        return done.outcome.revision
    file = _file_of(done)
    for one in _changes(done):
        if _base_name(one) == file:
            return one["after"]
    return None


def _base_name(one: dict[str, str | None]) -> str:
    return (one["path"] or "").rpartition("/")[2]
