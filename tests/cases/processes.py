"""Runs the installed wuu in the circumstances that a case asks for: limits, a terminal, a sudden death."""

import os
import pty
import resource
import select
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from house.invocation import Ran, console_script

HANGS = 60
"""Seconds after which a process that should have ended long ago is taken for one that hangs."""

# Ends like a power cut right before the n-th change of the disk. Audit events come before what they announce.
_DIES = """
import os, signal, sys
left = int(sys.argv.pop(1))
changing = ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate")
def hook(event, args):
    global left
    place = str(args[0]) if args else ""
    writes = event == "open" and args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    if (writes or event in changing) and place.startswith(os.environ["WUU_HOME"]):
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
from wuu.launch import main
sys.addaudithook(hook)
sys.exit(main(sys.argv[1:]))
"""


# Waits for the lock a fraction of a second instead of ten.
_IMPATIENT = """
import sys
from wuu.launch import main
from wuu.store.locks import hold
hold.__wrapped__.__kwdefaults__["wait"] = 0.2
sys.exit(main(sys.argv[1:]))
"""


def console(
    *arguments: str,
    stdin: str | bytes = b"",
    env: Mapping[str, str] | None = None,
    cwd: str | os.PathLike[str] | None = None,
    before: Callable[[], object] | None = None,
    timeout: float = HANGS,
    **streams: Any,
) -> Ran:
    """Run the console script; `before` runs in the new process, `streams` replace those of subprocess.

    `from_stream` is a stream for stdin, in place of the text `stdin`.
    """
    if "from_stream" in streams:
        streams["stdin"] = streams.pop("from_stream")
    else:
        streams["input"] = stdin.encode() if isinstance(stdin, str) else stdin
    streams.setdefault("stdout", subprocess.PIPE)
    streams.setdefault("stderr", subprocess.PIPE)
    done = subprocess.run(
        [console_script(), *arguments],
        env={**os.environ, **(env or {})},
        cwd=cwd,
        preexec_fn=before,
        timeout=timeout,
        check=False,
        **streams,
    )
    return Ran(done.returncode, done.stdout or b"", done.stderr or b"")


def dying(n: int, *arguments: str, stdin: bytes = b"") -> int:
    """Run wuu until it is about to make its n-th change of the disk (from 0), and return how it ended."""
    done = subprocess.run(
        [sys.executable, "-c", _DIES, str(n), *arguments],
        input=stdin,
        capture_output=True,
        timeout=HANGS,
        check=False,
    )
    return done.returncode


def impatient(*arguments: str, env: Mapping[str, str]) -> Ran:
    """Run wuu as a process that gives up soon when somebody else holds the lock."""
    done = subprocess.run(
        [sys.executable, "-c", _IMPATIENT, *arguments],
        env={**os.environ, **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=HANGS,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def file_size_limit(size: int) -> Callable[[], None]:
    """Return what limits every file that a new process writes to `size` bytes."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def memory_limit(size: int) -> Callable[[], None]:
    """Return what limits the address space of a new process to `size` bytes."""
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size))


class Shown(NamedTuple):
    """What a run at a terminal left: its exit status, what the terminal got, and stdout if that was piped."""

    exit_code: int
    screen: str
    stdout: str


def at_terminal(
    arguments: Sequence[str],
    *,
    typed: bytes = b"",
    env: Mapping[str, str] | None = None,
    interrupt_at: str = "",
    stdout_is_pipe: bool = False,
    size: tuple[int, int] = (24, 80),
) -> Shown:
    """Run wuu with a terminal of `size` (rows, columns) for stdin, stderr and, unless piped, stdout.

    `typed` is typed at once; its control characters act. Once the terminal shows `interrupt_at`, Ctrl-C is
    typed, again in every silent second: reading a line may overlook the first one.
    """
    import fcntl
    import struct
    import termios

    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
    out = subprocess.PIPE if stdout_is_pipe else slave
    with subprocess.Popen(
        [console_script(), *arguments],
        stdin=slave,
        stdout=out,
        stderr=slave,
        env={**os.environ, "TERM": "xterm-256color", **(env or {})},
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509  (the tests have one thread)
    ) as process:
        os.close(slave)
        os.write(master, typed)
        screen = _read_to_end(master, process, interrupt_at.encode())
        piped = process.stdout.read().decode() if process.stdout else ""
        process.wait(HANGS)
    os.close(master)
    return Shown(process.returncode, screen.decode().replace("\r\n", "\n"), piped)


def write_files(folder: Path, count: int, body: Callable[[int], str]) -> None:
    """Put `count` topics into a notebook by hand, as another program would."""
    for number in range(count):
        (folder / f"topic-{number:05}.md").write_text(body(number))


def _read_to_end(master: int, process: subprocess.Popen[bytes], interrupt_at: bytes) -> bytes:
    seen, silent = b"", 0
    while silent < HANGS:
        ready, _, _ = select.select([master], [], [], 1)
        silent = 0 if ready else silent + 1
        try:
            piece = os.read(master, 65_536) if ready else None
        except OSError:  # Linux: the other side is closed
            return seen
        if piece == b"":
            return seen
        seen += piece or b""
        if silent and interrupt_at and interrupt_at in seen:
            os.write(master, b"\x03")
    process.kill()
    raise subprocess.TimeoutExpired(process.args, HANGS, seen)
