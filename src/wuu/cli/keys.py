"""One key from a terminal, as the answer to what is on it.

What was typed before the question was there is never an answer, and what comes in one piece (a pasted text,
an arrow key) is none either. The terminal is always left as it was.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from wuu.cli.output import show_question

_END_OF_INPUT = "\x04"
_QUIT = "q"
_MOST = 65_536  # bytes that are read at once
_SILENCE = 0.03  # seconds; nobody types two keys that fast, and what is pasted comes faster


def read_key(question: str = "") -> str:
    """Show `question` and return the next key that a person presses, in lower case; Ctrl-D is `q`.

    Raises:
        KeyboardInterrupt: It was Ctrl-C.
    """
    if sys.platform == "win32":
        return _read_windows_key(question)
    fd = sys.stdin.fileno()
    with _by_key(fd):
        show_question(question)
        while (key := _find_key(_burst(fd))) is None:
            pass
    return key


def _find_key(data: bytes) -> str | None:
    """Return the key in what came at once, or None if that was no key."""
    if data in (b"", _END_OF_INPUT.encode()):
        return _QUIT
    text = data.decode("utf-8", "replace")
    return text.lower() if len(text) == 1 and (text.isprintable() or text in "\r\n") else None


@contextmanager
def _by_key(fd: int) -> Iterator[None]:
    """Have a terminal hand over each key at once and show none, and forget what was typed before."""
    import termios  # noqa: PLC0415  (not there on Windows)
    import tty  # noqa: PLC0415

    before = termios.tcgetattr(fd)
    try:
        tty.setcbreak(fd, termios.TCSAFLUSH)
        termios.tcflush(fd, termios.TCIFLUSH)
        yield
    finally:
        termios.tcsetattr(fd, termios.TCSAFLUSH, before)


def _burst(fd: int) -> bytes:
    """Wait for input and return all that comes without a pause; nothing is the end of it."""
    import os  # noqa: PLC0415
    import select  # noqa: PLC0415

    try:
        data = os.read(fd, _MOST)
        while data and select.select([fd], [], [], _SILENCE)[0]:
            more = os.read(fd, _MOST)
            data += more
            if not more:
                break
    except OSError:  # the terminal was hung up
        return b""
    return data


def _read_windows_key(question: str) -> str:  # pragma: no cover  (the tests run where there are ptys)
    if sys.platform != "win32":  # never so: `read_key` asks first; it tells mypy that msvcrt is there
        return _QUIT
    import msvcrt  # noqa: PLC0415  (only there)

    while msvcrt.kbhit():
        msvcrt.getwch()
    show_question(question)
    while True:
        key = msvcrt.getwch()
        if key in "\x00\xe0":
            msvcrt.getwch()
        elif key == "\x03":
            raise KeyboardInterrupt
        elif (found := _find_key(key.encode("utf-8", "replace"))) is not None and not msvcrt.kbhit():
            return found
