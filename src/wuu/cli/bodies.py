"""Where a text comes from: an argument, stdin or a file, bounded and strictly UTF-8."""

import errno
import sys

from wuu.errors import IoProblem, NotFound, TooLarge, UsageProblem
from wuu.store.files import MAX_FILE_BYTES, disk_errors


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
        note = f"{source} has more than {MAX_FILE_BYTES:,} bytes, the most that is taken."
        raise TooLarge(note, limit=MAX_FILE_BYTES)
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        note = f"{source} is not UTF-8 at byte {error.start}."
        raise UsageProblem(note, source=source, offset=error.start) from error
