"""Where the text of a topic comes from: an argument, stdin or a file, bounded and strictly UTF-8."""

import sys

from wuu.errors import TooLarge, UsageProblem
from wuu.store.files import MAX_FILE_BYTES, disk_errors


def file_and_body(file: str | None, body: str | None, body_file: str | None) -> tuple[str | None, str | None]:
    """Tell which of two optional arguments a single one is: a name ends in `.md`, else it is the body.

    Raises:
        UsageProblem: There are two bodies.
    """
    if body is None and file is not None and body_file is None and not file.endswith(".md"):
        return None, file
    if body is not None and body_file is not None:
        raise UsageProblem("BODY and --file both say what the text is.", hint="Give one of them.")
    return file, body


def read_body(body: str | None, body_file: str | None) -> str | None:
    """Return the text of `body` (`-` is stdin) or of the file `body_file`; None if there is neither.

    Raises:
        UsageProblem: It is not UTF-8; names the byte.
        TooLarge: It has more than 256 KiB.
        IoProblem: The file cannot be read.
    """
    if body_file is not None:
        with disk_errors(body_file), open(body_file, "rb") as stream:
            return _decoded(stream.read(MAX_FILE_BYTES + 1), body_file)
    if body is None:
        return None
    if body == "-":
        return _decoded(sys.stdin.buffer.read(MAX_FILE_BYTES + 1), "stdin")
    return _decoded(body.encode("utf-8", "surrogateescape"), "BODY")  # an argument may be any bytes


def _decoded(data: bytes, source: str) -> str:
    if len(data) > MAX_FILE_BYTES:
        note = f"{source} has more than {MAX_FILE_BYTES:,} bytes, the most a topic can have."
        raise TooLarge(note, limit=MAX_FILE_BYTES)
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        note = f"{source} is not UTF-8 at byte {error.start}."
        raise UsageProblem(note, source=source, offset=error.start) from error
