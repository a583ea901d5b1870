"""The door of the notebook: one function per use case, from a situation and a request to a result.

The rules are elsewhere in this room; here it is decided where the notebook is, who counts as a reader, and
how a change is committed.
"""

import os
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from wuu import clock
from wuu.errors import Caveat, NotFound
from wuu.ids import new_id
from wuu.notebook import guards, plans, reading, values
from wuu.notebook.screening import screened
from wuu.notebook.topics import INDEX, Notebook, check_name
from wuu.notebook.values import (
    BudgetReport,
    Checked,
    Repaired,
    SearchResult,
    Snapshot,
    TopicChange,
    TopicList,
)
from wuu.situation.credentials import REFUSE, Part, screen
from wuu.situation.interrupted import recovery_caveats
from wuu.situation.situation import Situation
from wuu.situation.writing import WriteOptions, Written, refuse_read_only, write
from wuu.store import files
from wuu.store.changes import ChangeSet
from wuu.store.home import Home, open_home
from wuu.store.locks import hold, is_held
from wuu.store.state import add_to_tally, keep_text, move_tally, read_tallies

READS = "reads"

R = TypeVar("R")


class Draft(NamedTuple):
    """A topic as it was handed to an editor: its bytes, and the same as text."""

    file: str
    data: bytes
    text: str


def list_topics(situation: Situation) -> TopicList:
    """Return metadata of every topic and what the index names without there being a file.

    Raises:
        IoProblem: The read counts are there and cannot be read.
    """
    notebook = _open(situation)
    found = reading.list_topics(notebook, read_tallies(notebook.home, READS))
    return found._replace(caveats=(*found.caveats, *recovery_caveats(notebook.home)))


def read_topic(situation: Situation, file: str, max_bytes: int | None = None) -> Snapshot:
    """Return a topic, and count the read unless this is read-only; a missing one is no error here."""
    check_name(file)
    notebook = _open(situation)
    snapshot = reading.read_topic(notebook, file, max_bytes)
    if snapshot.found and not situation.read_only:
        add_to_tally(notebook.home, READS, file)
    return snapshot._replace(caveats=(*snapshot.caveats, *recovery_caveats(notebook.home)))


def missing_topic(situation: Situation, file: str) -> NotFound:
    """Return the failure that a topic is not there, with the one that may be meant."""
    return guards.missing_topic(_open(situation), file)


def read_index(situation: Situation, max_bytes: int | None = None) -> Snapshot:
    """Return the index as a session gets it: sanitised, at most 200 lines and 25,000 bytes."""
    notebook = _open(situation)
    snapshot = reading.read_index(notebook, max_bytes)
    return snapshot._replace(caveats=(*snapshot.caveats, *recovery_caveats(notebook.home)))


def report_budget(situation: Situation) -> BudgetReport:
    """Say which lines of the index do not fit, and whether sessions get it at all."""
    report = reading.report_budget(_open(situation))
    settings = situation.settings
    value = {**report.value, "enabled": settings.flag("notebookEnabled")}
    return report._replace(value=value, caveats=(*report.caveats, *settings.caveats))


def find_path(situation: Situation, file: str | None = None) -> str:
    """Return the absolute path of the notebook's folder, or of a topic in it, whether it exists or not."""
    notebook = _open(situation)
    if file is None:
        return notebook.home.place(notebook.folder)
    if file != INDEX:
        check_name(file)
    return notebook.home.place(notebook.path(file))


def search_topics(situation: Situation, query: str, limit: int = 20) -> SearchResult:
    """Return the topics that hold words of `query`, best first.

    Raises:
        UsageProblem: The query is empty, or `limit` is not between 1 and 1,000.
    """
    from wuu.notebook.find import search  # noqa: PLC0415  (imports SQLite)

    notebook = _open(situation)
    found = search(notebook, query, limit)
    return found._replace(caveats=(*found.caveats, *recovery_caveats(notebook.home)))


def check_notebook(situation: Situation, folder: str | None = None, stale_days: int | None = None) -> Checked:
    """Return the problems of the home's notebook, or of the one in `folder`, which may be anywhere.

    It changes nothing at all. With `stale_days`, topics that were not verified for longer are problems too.

    Raises:
        NotFound: There is no such folder, or `folder` holds no Markdown file.
        IoProblem: The folder cannot be read.
    """
    from wuu.notebook.checking import check, open_folder  # noqa: PLC0415  (only a check needs its rules)

    notebook = _open(situation) if folder is None else open_folder(folder)
    place = notebook.home.place(notebook.folder)
    if not os.path.lexists(place):
        hint = "wuu notebook write makes it, with its first topic."
        raise NotFound(f"There is no notebook yet in {place}.", hint=hint, path=place)
    return check(notebook, stale_days)


def write_topic(
    situation: Situation, request: values.WriteTopic, options: WriteOptions
) -> Written[TopicChange]:
    """Write a topic and its index line; see `plans.plan_write` for what is refused.

    Raises:
        SecretDetected: It would add a credential; also from editing, saving and renaming.
    """
    request, caveats = screened(situation, request, options.secrets)
    return _change(situation, "notebook write", request, options, plans.plan_write, caveats)


def edit_topic(
    situation: Situation, request: values.EditTopic, options: WriteOptions
) -> Written[TopicChange]:
    """Set fields of a topic or add to its end; see `plans.plan_edit`."""
    request, caveats = screened(situation, request, options.secrets)
    return _change(situation, "notebook edit", request, options, plans.plan_edit, caveats)


def check_forget(situation: Situation, request: values.ForgetTopic) -> None:
    """Refuse what is bound to be refused before anybody is asked whether they mean it."""
    refuse_read_only(situation)
    plans.plan_forget(_open(situation), request)


def open_draft(situation: Situation, file: str, revision: str | None = None) -> Draft:
    """Return a topic for an editor; nothing is locked while it is open.

    Raises:
        NotFound: There is no such topic.
        StaleRevision: It is not at `revision`.
        NotUtf8: It cannot be edited as text.
        ReadOnlyMode: wuu runs read-only.
    """
    refuse_read_only(situation)
    data, text = guards.get_existing(_open(situation), file, revision)
    return Draft(file, data, text)


def check_write(situation: Situation, request: values.WriteTopic, options: WriteOptions) -> None:
    """Refuse what is bound to be refused, whatever the body will be, before anybody writes one."""
    refuse_read_only(situation)
    screened(situation, request, options.secrets)
    plans.check_write(_open(situation), request)


def save_draft(situation: Situation, draft: Draft, text: str, options: WriteOptions) -> Written[TopicChange]:
    """Save what came back from an editor, merged with what others wrote meanwhile.

    Raises:
        ChangedOnDisk: Both changed the same lines.
    """
    request = values.SaveText(draft.file, draft.data, text)
    request, caveats = screened(situation, request, options.secrets)
    return _change(situation, "notebook edit", request, options, plans.plan_save, caveats)


def keep_draft(situation: Situation, file: str, text: str) -> str:
    """Keep what a person typed and could not be saved; return the path of the file.

    Raises:
        SecretDetected: It holds a credential, so it must be kept elsewhere than in the home.
        IoProblem: It cannot be kept in the home either.
    """
    screen((Part(file, text),), REFUSE, situation.caller)
    name = f"{clock.rfc3339(clock.now()).replace(':', '')}-{new_id()[:4]}-{file}"
    home = Home(os.path.realpath(situation.home))
    return keep_text(home, "drafts", name[-200:], text.encode("utf-8", "surrogateescape"))


def rename_topic(
    situation: Situation, request: values.RenameTopic, options: WriteOptions
) -> Written[TopicChange]:
    """Give a topic another file name, with its index line and its read count; see `plans.plan_rename`."""
    request, caveats = screened(situation, request, options.secrets)
    done = _change(situation, "notebook rename", request, options, plans.plan_rename, caveats)
    if done.outcome is not None and not done.dry_run:
        move_tally(_open(situation).home, READS, request.file, request.new)
    return done


def forget_topic(
    situation: Situation, request: values.ForgetTopic, options: WriteOptions
) -> Written[TopicChange]:
    """Remove a topic with its index line, its read count and its words in the search index."""
    done = _change(situation, "notebook forget", request, options, plans.plan_forget)
    if done.outcome is not None and not done.dry_run:
        from wuu.notebook.find import purge  # noqa: PLC0415  (imports SQLite)

        notebook = _open(situation)
        move_tally(notebook.home, READS, request.file, None)
        purge(notebook)
    return done


def repair_notebook(situation: Situation, options: WriteOptions) -> Written[Repaired]:
    """Mend the index, and remove what killed writers left in the folder; see `repairing.plan_repair`.

    Raises:
        NotFound: There is no notebook.
        ReadOnlyMode: wuu runs read-only, and this is no dry run.
    """
    from wuu.notebook.repairing import plan_repair  # noqa: PLC0415  (the rules of the check; few calls)

    if not options.dry_run:
        refuse_read_only(situation)
    notebook = _open(situation)
    if not os.path.isdir(notebook.home.place(notebook.folder)):
        hint = "wuu notebook write makes the first topic."
        raise NotFound("There is no notebook yet.", hint=hint, folder=notebook.home.place(notebook.folder))
    done = write(
        situation,
        notebook.home,
        lambda current: plan_repair(Notebook(current)),
        options,
        command="notebook repair",
        asked=None,
    )
    if done.outcome is not None and done.outcome.temps:
        return _swept(notebook, done, done.outcome, options)
    return done


def _swept(
    notebook: Notebook, done: Written[Repaired], outcome: Repaired, options: WriteOptions
) -> Written[Repaired]:
    """Remove temporary files with the lock held; a dry run leaves out those of a writer that is at work."""
    if done.dry_run:
        return done._replace(outcome=outcome._replace(temps=())) if is_held(notebook.home) else done
    with hold(notebook.home, "notebook repair", waiting=options.waiting):
        files.sweep(notebook.home.place(notebook.folder))
    return done


def today() -> str:
    """Return the date that `--verified today` means: the person's own."""
    return clock.today()


def _open(situation: Situation) -> Notebook:
    return Notebook(open_home(situation.home))


def _change(
    situation: Situation,
    command: str,
    request: R,
    options: WriteOptions,
    plan: Callable[[Notebook, R], ChangeSet[TopicChange]],
    caveats: tuple[Caveat, ...] = (),
) -> Written[TopicChange]:
    home = open_home(situation.home)
    done = write(
        situation,
        home,
        lambda current: plan(Notebook(current), request),
        options,
        command=command,
        asked=request,
    )
    return done._replace(caveats=(*caveats, *done.caveats))
