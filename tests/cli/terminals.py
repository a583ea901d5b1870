"""A person at a terminal: starts wuu on a pty, reads what is on the screen, and presses one key at a time."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from cases.processes import HANGS

_MAIN = "import sys; from wuu.launch import main; sys.exit(main(sys.argv[1:]))"
_PAINT = re.compile(r"\x1b\[[0-9;]*m")


class Terminal:
    """A running wuu, what its terminal showed so far, and its exit status once it ended."""

    def __init__(self, master: int, process: "subprocess.Popen[bytes]") -> None:
        self._master, self._process = master, process
        self._seen, self._read_up_to = b"", 0
        self.exit_code: int | None = None

    @property
    def raw(self) -> str:
        """Everything that was shown so far, with its colours."""
        return self._seen.decode("utf-8", "replace").replace("\r\n", "\n")

    @property
    def screen(self) -> str:
        """Everything that was shown so far, without colours."""
        return _PAINT.sub("", self.raw)

    @property
    def pid(self) -> int:
        """The process."""
        return self._process.pid

    def wait_for(self, text: str) -> str:
        """Read until `text` is on the screen once more, and return what came since the last time."""
        wanted, until = text.encode(), time.monotonic() + HANGS
        while wanted not in self._seen[self._read_up_to :]:
            assert time.monotonic() < until, f"{text!r} never came: {self.screen}"
            assert self._read_some(), f"it ended before {text!r} came: {self.screen}"
        start = self._read_up_to
        self._read_up_to = self._seen.index(wanted, start) + len(wanted)
        return _PAINT.sub("", self._seen[start : self._read_up_to].decode("utf-8", "replace"))

    def press(self, keys: str | bytes) -> None:
        """Type something."""
        os.write(self._master, keys.encode() if isinstance(keys, str) else keys)

    def wait_quietly(self) -> None:
        """Let a moment pass in which nothing is typed, as a person does between two keys."""
        time.sleep(0.2)

    def wait_for_end(self) -> int:
        """Read to the end and return the exit status."""
        until = time.monotonic() + HANGS
        while self._read_some():
            assert time.monotonic() < until, f"it does not end: {self.screen}"
        self.exit_code = self._process.wait(HANGS)
        return self.exit_code

    def local_flags(self) -> int:
        """Return the local flags of the terminal: what it echoes and whether it hands over lines or keys."""
        return int(termios.tcgetattr(self._master)[3])

    def _read_some(self) -> bool:
        ended = self._process.poll() is not None
        ready, _, _ = select.select([self._master], [], [], 0.05)
        if not ready:
            return not ended
        try:
            piece = os.read(self._master, 65_536)
        except OSError:  # Linux: the other side is closed
            return False
        self._seen += piece
        return bool(piece)


@contextmanager
def terminal(
    arguments: Sequence[str],
    *,
    columns: int = 80,
    env: Mapping[str, str] | None = None,
    code: str = _MAIN,
    typed: str = "",
) -> Iterator[Terminal]:
    """Start Python with `code`, by default wuu, on a terminal of so many columns; `typed` is typed before."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    os.write(master, typed.encode())
    kept_open = os.dup(slave)  # so that the flags can be looked at when wuu has ended
    with subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={**os.environ, "TERM": "xterm-256color", **(env or {})},
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509  (the tests have one thread)
    ) as process:
        os.close(slave)
        try:
            yield Terminal(master, process)
        finally:
            if process.poll() is None:
                process.kill()
            os.close(kept_open)
            os.close(master)
