"""Where the text of a topic comes from: an argument, stdin or a file, bounded and strictly UTF-8."""

import errno
import sys

from wuu.errors import IoProblem, NotFound, TooLarge, UsageProblem
from wuu.store.files import MAX_FILE_BYTES, disk_errors


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


def read_body(body: str | None, body_file: str | None) -> str | None:
    """Return the text of `body` (`-` is stdin) or of the file `body_file`; None if there is neither.

    Raises:
        UsageProblem: It is not UTF-8; names the byte.
        TooLarge: It has more than 256 KiB.
        NotFound: There is no such file.
        IoProblem: The file cannot be read.
    """
    if body_file is not None:
        return _decoded(_read_file(body_file), body_file)
    if body is None:
        return None
    if body == "-":
        return _decoded(sys.stdin.buffer.read(MAX_FILE_BYTES + 1), "stdin")
    return _decoded(body.encode("utf-8", "surrogateescape"), "BODY")  # an argument may be any bytes


def _read_file(path: str) -> bytes:
    try:
        with disk_errors(path), open(path, "rb") as stream:
            return stream.read(MAX_FILE_BYTES + 1)
    except IoProblem as error:
        if error.details.get("errno") in (errno.ENOENT, errno.ENOTDIR):
            raise NotFound(f"There is no file {path}.", path=path) from error
        raise


def _decoded(data: bytes, source: str) -> str:
    if len(data) > MAX_FILE_BYTES:
        note = f"{source} has more than {MAX_FILE_BYTES:,} bytes, the most a topic can have."
        raise TooLarge(note, limit=MAX_FILE_BYTES)
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        note = f"{source} is not UTF-8 at byte {error.start}."
        raise UsageProblem(note, source=source, offset=error.start) from error
