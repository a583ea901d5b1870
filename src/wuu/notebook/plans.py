"""Changes of topics worked out as values: the topic file and its index line together, nothing else.

Every function here reads and returns a `ChangeSet`; none of them writes, asks or waits. They run with the
lock held, so what they find is what will be replaced.
"""

from wuu.errors import Caveat, ChangedOnDisk, UsageProblem
from wuu.notebook import index
from wuu.notebook.guards import (
    check_fields,
    check_neighbours,
    check_revision,
    existing_topic,
    get_existing,
    missing_topic,
    spelled_as_stored,
)
from wuu.notebook.topics import (
    DEFAULT_TYPE,
    TYPES,
    Notebook,
    Topic,
    check_name,
    ended,
    parse_topic,
    render_topic,
    rendered_fields,
)
from wuu.notebook.values import EditTopic, Fields, ForgetTopic, RenameTopic, SaveText, TopicChange, WriteTopic
from wuu.store import files
from wuu.store.changes import Change, ChangeSet, change, digest_of
from wuu.text import document as md
from wuu.text.merge import merge3
from wuu.text.normalise import safe_file_name
from wuu.text.scalars import render_scalar

TopicPlan = ChangeSet[TopicChange]


def plan_write(notebook: Notebook, request: WriteTopic) -> TopicPlan:
    """Plan a new topic, or with `replace` a topic whose body is written anew.

    A body that opens with frontmatter of its own is a whole document, and the fields given are set in it.
    Otherwise a replaced topic keeps its other fields but `verified`, which was said of the old text.

    Raises:
        UsageProblem: The file name or a field is not valid.
        AlreadyExists: The topic is there and `replace` is not set, or its name equals another's but for case.
        StaleRevision: The topic is not at `revision`.
        TooLarge: The file would be larger than 256 KiB.
    """
    check_fields(request.fields)
    file = request.file if request.file is not None else safe_file_name(_name_for(request))
    check_name(file)
    data = notebook.read(file)
    check_revision(notebook, file, data, request.revision)
    check_name(file, new=data is None)
    caveats = () if data is not None else check_neighbours(notebook, file, derived=request.file is None)
    if data is not None and not request.replace:
        raise existing_topic(spelled_as_stored(notebook, file))
    old_text = None if data is None else files.decode(data, notebook.path(file))
    text = _written(file, old_text, request)
    return _plan_text(notebook, file, data, text, "written" if data is None else "replaced", caveats)


def check_write(notebook: Notebook, request: WriteTopic) -> None:
    """Refuse what `plan_write` would refuse whatever the body; less if the body has to give the name."""
    check_fields(request.fields)
    if request.file is not None or request.fields.name:
        plan_write(notebook, request._replace(body="# x"))


def plan_edit(notebook: Notebook, request: EditTopic) -> TopicPlan:
    """Plan fields to be set in a topic, text to be added at its end, or both; every other byte stays.

    Raises:
        NotFound: There is no such topic.
        StaleRevision: The topic is not at `revision`.
    """
    check_fields(request.fields)
    data, text = get_existing(notebook, request.file, request.revision)
    edited = _with_fields(text, request.fields)
    if request.append is not None:
        newline = md.parse_document(text).newline
        addition = ended(request.append).replace("\r\n", "\n").replace("\n", newline)
        edited = edited + ("" if not edited or edited.endswith("\n") else newline) + addition
    return _plan_text(notebook, request.file, data, edited, "edited")


def plan_save(notebook: Notebook, request: SaveText) -> TopicPlan:
    """Plan the text that came back from an editor; what others wrote meanwhile is merged in (case O-02).

    Raises:
        ChangedOnDisk: Both changed the same lines, or the topic is gone.
    """
    data = notebook.read(request.file)
    mine = request.text
    if data is None:
        raise ChangedOnDisk(
            f"{request.file} was removed while it was edited.", path=notebook.path(request.file)
        )
    if data != request.base:
        base, theirs = (files.decode(one, notebook.path(request.file)) for one in (request.base, data))
        merged = merge3(base, mine, theirs)
        if merged is None:
            note = f"{request.file} changed in the same lines while it was edited."
            hint = "Look at the topic, then put your change in again."
            raise ChangedOnDisk(note, hint=hint, path=notebook.path(request.file))
        mine = merged
    return _plan_text(notebook, request.file, data, mine, "edited")


def plan_rename(notebook: Notebook, request: RenameTopic) -> TopicPlan:
    """Plan another file name for a topic; the text stays, and its index entries name the new file.

    Raises:
        NotFound: There is no such topic.
        AlreadyExists: The new name is taken, or equals another topic's but for case or normalisation.
    """
    data, text = get_existing(notebook, request.file, request.revision)
    check_name(request.new, new=True)
    if request.new == request.file:
        raise UsageProblem(f"{request.file} has that name already.", file=request.file)
    notebook.read(request.new)  # a link is refused, even one that leads nowhere
    caveats = check_neighbours(notebook, request.new, derived=False, besides=request.file)
    topic = parse_topic(request.file, text)
    line = index.plan_rename(notebook, topic, request.new)
    moved = (change(notebook.path(request.new), None, data), change(notebook.path(request.file), data, None))
    outcome = TopicChange(
        "renamed",
        request.new,
        topic._replace(file=request.new).shown_title,
        topic.type,
        line.line,
        digest_of(data),
        (*caveats, *line.caveats),
    )
    return ChangeSet((*moved, *_one(line.change)), outcome)


def plan_forget(notebook: Notebook, request: ForgetTopic) -> TopicPlan:
    """Plan a topic and its index entries away. A topic that is gone already still loses its entries.

    Raises:
        NotFound: There is neither a topic nor an entry of that name.
        StaleRevision: The topic is not at `revision`.
    """
    check_name(request.file)
    data = notebook.read(request.file)
    check_revision(notebook, request.file, data, request.revision)
    text = "" if data is None else data.decode("utf-8", "replace")
    topic = parse_topic(request.file, text)
    line = index.plan_drop(notebook, topic)
    if data is None and line.change is None:
        raise missing_topic(notebook, request.file)
    gone = () if data is None else (change(notebook.path(request.file), data, None),)
    outcome = TopicChange("forgotten", request.file, topic.shown_title, topic.type, None, None, line.caveats)
    return ChangeSet((*gone, *_one(line.change)), outcome)


def _written(file: str, old_text: str | None, request: WriteTopic) -> str:
    """Return the whole text of a topic that is written."""
    fields = request.fields
    if md.parse_document(request.body).has_block:
        text = ended(_with_fields(request.body, fields))
        return _with_defaults(file, text, old_text)
    if old_text is None:
        name = fields.name or parse_topic(file, request.body).shown_title
        full = rendered_fields(
            name, fields.description, fields.type or DEFAULT_TYPE, fields.verified, fields.sources
        )
        return render_topic(full, request.body)
    newline = md.parse_document(old_text).newline
    body = ended(request.body).replace("\r\n", "\n").replace("\n", newline)
    gap = newline if md.parse_document(old_text).has_block else ""
    return _with_fields(md.without_field(md.with_body(old_text, gap + body), "verified"), fields)


def _with_defaults(file: str, text: str, old_text: str | None) -> str:
    """Return a document with a name and a type: its own, else the replaced topic's, else the usual ones."""
    topic = parse_topic(file, text)
    old = None if old_text is None else parse_topic(file, old_text)
    document = md.parse_document(text)
    if md.field_text(document, "name") is None and md.field_text(document, "title") is None:
        text = md.with_field(text, "name", render_scalar((old and old.title) or topic.shown_title))
    if topic.type is None:
        text = md.with_field(text, "type", render_scalar((old and old.type) or DEFAULT_TYPE))
    return text


def _with_fields(text: str, fields: Fields) -> str:
    document = md.parse_document(text)
    known = md.field_list(document, "sources")
    added = tuple(source for source in fields.sources if source not in known)
    sources = (*known, *added) if added else ()
    name_key = "title" if md.find_field(document, "title") and not md.find_field(document, "name") else "name"
    rendered = rendered_fields(fields.name, fields.description, fields.type, fields.verified, sources)
    for key, value in rendered.items():
        text = md.with_field(text, name_key if key == "name" else key, value)
    return text


def _plan_text(
    notebook: Notebook, file: str, data: bytes | None, text: str, verb: str, caveats: tuple[Caveat, ...] = ()
) -> TopicPlan:
    """Plan the topic file with `text`, and the index line that follows from it."""
    encoded = index.fitting(text.encode(), file)
    old = None if data is None else parse_topic(file, data.decode("utf-8", "replace"))
    new = parse_topic(file, text)
    line = index.plan_line(notebook, old, new, adds=verb != "edited")
    caveats = (*caveats, *_topic_caveats(new), *line.caveats)
    outcome = TopicChange(verb, file, new.shown_title, new.type, line.line, digest_of(encoded), caveats)
    return ChangeSet((change(notebook.path(file), data, encoded), *_one(line.change)), outcome)


def _topic_caveats(topic: Topic) -> tuple[Caveat, ...]:
    found = []
    if topic.type is not None and topic.type not in TYPES:
        note = f"The type {topic.type!r} is not one of {', '.join(TYPES)}; it is kept."
        found.append(Caveat("unknown_type", note, {"type": topic.type}))
    if topic.description is None:
        note = "Without a description the index shows the name alone; --description adds one."
        found.append(Caveat("description_missing", note, {"file": topic.file}))
    return tuple(found)


def _name_for(request: WriteTopic) -> str:
    name = request.fields.name or parse_topic("", request.body).title
    if not name:
        raise UsageProblem("A new topic needs a FILE or a --name.", hint="For example --name 'Deploy steps'.")
    return name


def _one(made: Change | None) -> tuple[Change, ...]:
    return () if made is None else (made,)
