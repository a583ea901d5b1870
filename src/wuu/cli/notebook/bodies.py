"""Which of the two arguments of `wuu notebook write` is the name of a file, and which is text."""

from wuu.errors import UsageProblem


def file_and_body(
    file: str | None, body: str | None, body_file: str | None, *, is_named: bool
) -> tuple[str | None, str | None]:
    """Tell which of two optional arguments a single one is: a name ends in `.md`, else it is the body.

    With a `--name` there need be no FILE, so a text of several words is the body whatever its end.

    Raises:
        UsageProblem: There are two bodies.
    """
    if body is None and file is not None and body_file is None:
        is_text = is_named and len(file.split()) > 1
        if is_text or not file.endswith(".md"):
            return None, file
    if body is not None and body_file is not None:
        raise UsageProblem("BODY and --file both say what the text is.", hint="Give one of them.")
    return file, body
