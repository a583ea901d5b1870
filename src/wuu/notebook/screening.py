"""What of a request is text that somebody adds, so that no credential gets into the notebook unseen.

Owns which parts of each request are looked at; the decision is `situation/credentials.py`.
"""

from typing import TypeVar

from wuu.errors import Caveat
from wuu.notebook.values import EditTopic, Fields, RenameTopic, SaveText, WriteTopic
from wuu.situation.credentials import Part, screen
from wuu.situation.situation import Situation

R = TypeVar("R", WriteTopic, EditTopic, SaveText, RenameTopic)

BODY = "the text"


def screened(situation: Situation, request: R, handling: str) -> tuple[R, tuple[Caveat, ...]]:
    """Return the request as it may be carried out, and what to say about credentials in it.

    Raises:
        SecretDetected: It adds one, and `handling` does not allow that.
        ApprovalRequired: An agent asks to keep one.
    """
    parts = _parts(request)
    texts, caveats = screen(tuple(parts.values()), handling, situation.caller)
    if not caveats:
        return request, ()
    return _rebuilt(request, dict(zip(parts, texts, strict=True))), caveats


def _parts(request: WriteTopic | EditTopic | SaveText | RenameTopic) -> dict[str, Part]:
    if isinstance(request, RenameTopic):
        return {"file": Part("the new name", request.new, rigid=True)}
    if isinstance(request, SaveText):
        return {"body": Part(BODY, request.text, known=request.base.decode("utf-8", "replace"))}
    if isinstance(request, EditTopic):
        return {"body": Part("--append", request.append or ""), **_field_parts(request.fields)}
    return {
        "file": Part("the file name", request.file or "", rigid=True),
        "body": Part(BODY, request.body),
        **_field_parts(request.fields),
    }


def _field_parts(fields: Fields) -> dict[str, Part]:
    given = {"name": fields.name, "description": fields.description, "type": fields.type}
    parts = {field: Part(f"--{field}", value) for field, value in given.items() if value}
    return parts | {f"source {at}": Part("--source", value) for at, value in enumerate(fields.sources)}


def _rebuilt(request: R, texts: dict[str, str]) -> R:
    if isinstance(request, SaveText):
        return request._replace(text=texts["body"])
    if isinstance(request, EditTopic):
        append = None if request.append is None else texts["body"]
        return request._replace(append=append, fields=_rebuilt_fields(request.fields, texts))
    if isinstance(request, WriteTopic):
        return request._replace(body=texts["body"], fields=_rebuilt_fields(request.fields, texts))
    return request


def _rebuilt_fields(fields: Fields, texts: dict[str, str]) -> Fields:
    sources = tuple(texts[f"source {at}"] for at in range(len(fields.sources)))
    texts = {field: texts[field] for field in ("name", "description", "type") if field in texts}
    return fields._replace(**texts, sources=sources)
