"""What a change of a topic is refused for before it is worked out."""

from wuu.errors import AlreadyExists, Caveat, NotFound, StaleRevision, UsageProblem
from wuu.notebook.topics import Notebook, check_name, is_date
from wuu.notebook.values import Fields
from wuu.store import files
from wuu.store.changes import digest_of
from wuu.text.normalise import link_key, path_key
from wuu.text.safety import single_line_problem


def check_fields(fields: Fields) -> None:
    """Refuse a field that is not one line, or a date that is none (case O-13).

    Raises:
        UsageProblem: Names the field.
    """
    texts = [("name", fields.name), ("description", fields.description), ("type", fields.type)]
    texts += [("source", source) for source in fields.sources]
    for field, value in texts:
        problem = None if value is None else single_line_problem(value)
        if value is not None and not value.strip():
            problem = "is empty"
        if problem is not None:
            raise UsageProblem(f"--{field} {problem}.", field=field)
    if fields.verified is not None and not is_date(fields.verified):
        raise UsageProblem(
            f"--verified takes a date as YYYY-MM-DD, or today; got {fields.verified!r}.", field="verified"
        )


def check_revision(notebook: Notebook, file: str, data: bytes | None, revision: str | None) -> None:
    """Refuse a topic, whose bytes now are `data`, that is not at the `revision` the caller read.

    Raises:
        StaleRevision: It changed since, or is gone.
    """
    found = digest_of(data)
    if revision is not None and revision != found:
        what = "is gone" if found is None else "changed since you read it"
        hint = f"Read it again: wuu notebook read {file}"
        raise StaleRevision(
            f"{file} {what}.", hint=hint, path=notebook.path(file), expected=revision, found=found
        )


def check_neighbours(
    notebook: Notebook, file: str, *, derived: bool, besides: str | None = None
) -> tuple[Caveat, ...]:
    """Refuse a new name that another topic has but for case or normalisation, if `derived` also hyphens."""
    others = [name for name in notebook.names() if name != besides]
    for other in others:
        if path_key(other) == path_key(file) or (derived and link_key(other) == link_key(file)):
            raise existing_topic(other)
    similar = [other for other in others if link_key(other) == link_key(file)]
    if similar:
        note = f"{similar[0]} has nearly the same name; links may mean either."
        return (Caveat("similar_name", note, {"files": similar}),)
    return ()


def get_existing(notebook: Notebook, file: str, revision: str | None) -> tuple[bytes, str]:
    """Return the bytes and the text of a topic that must be there, at `revision` if that is given.

    Raises:
        NotFound, StaleRevision, NotUtf8, UnsafeFile, TooLarge: It is not there, not the same, or not
        readable.
    """
    check_name(file)
    data = notebook.read(file)
    check_revision(notebook, file, data, revision)
    if data is None:
        raise missing_topic(notebook, file)
    return data, files.decode(data, notebook.path(file))


def spelled_as_stored(notebook: Notebook, file: str) -> str:
    """Return the name that a topic has in the folder: a disk that ignores case answers to others too."""
    names = notebook.names()
    return next((name for name in names if file not in names and path_key(name) == path_key(file)), file)


def existing_topic(file: str) -> AlreadyExists:
    """Return the failure that a topic is there already, with the ways to go on (case O-20)."""
    hint = (
        f"wuu notebook edit {file} --append … adds to it; wuu notebook write {file} --replace writes it anew."
    )
    return AlreadyExists(f"The topic {file} exists already.", hint=hint, file=file)


def missing_topic(notebook: Notebook, file: str) -> NotFound:
    """Return the failure that a topic is not there, with the one that may be meant."""
    similar = [name for name in notebook.names() if link_key(name) == link_key(file)]
    hint = f"There is {similar[0]}." if similar else "wuu notebook list shows what there is."
    return NotFound(f"There is no topic {file}.", hint=hint, file=file)
