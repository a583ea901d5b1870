"""The disk as the store sees it, with a hand in between: calls are written down, and one can go wrong.

Owns how a fault is made, not what is right afterwards (`checking.py`). It wraps `os` in the modules through
which the store reads and writes; a kill is a `BaseException` that every later call raises too, for a dead
process cleans nothing up. Paths and bytes are written down, so that a model of lost writes can use the log.
"""

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from unittest import mock

from wuu.store import files, reads

CHANGING = frozenset(("write", "fsync", "fchmod", "fchown", "replace", "link", "unlink", "mkdir"))
WATCHED = CHANGING | {"open", "close", "listdir", "scandir", "stat", "fstat"}


class Killed(BaseException):
    """The process is gone: nothing but the operating system runs any more."""


class Call(NamedTuple):
    """One call: its number from 1, its name, the path it is about, and its target, its bytes or its mode.

    An `open` has "new" where it makes a file, and "cut" where it empties one.
    """

    number: int
    name: str
    path: str
    more: str | bytes | int | None = None

    @property
    def changes(self) -> bool:
        """Whether the disk may be another one afterwards: between two such calls it makes no difference."""
        return self.name in CHANGING or (self.name == "open" and self.more is not None)

    def __str__(self) -> str:
        return f"call {self.number}, {self.name} of {os.path.basename(self.path)}"


Fault = Callable[[Call], None]


def no_fault(_: Call) -> None:
    """Let every call through."""


def kill_at(number: int) -> Fault:
    """Kill the process before call `number`."""

    def fault(call: Call) -> None:
        if call.number >= number:
            raise Killed(str(call))

    return fault


def fail_at(number: int, code: int) -> Fault:
    """Let call `number` alone fail with the errno `code`."""

    def fault(call: Call) -> None:
        if call.number == number:
            raise OSError(code, os.strerror(code), call.path)

    return fault


def fail_from(number: int, code: int) -> Fault:
    """Let every call that changes something fail from call `number` on, as if the disk turned read-only."""

    def fault(call: Call) -> None:
        if call.number >= number and call.changes:
            raise OSError(code, os.strerror(code), call.path)

    return fault


class WatchedOs:
    """`os`, with the calls in `WATCHED` written down and handed to a fault first.

    Nothing is really flushed, which only a power failure would notice. A `write` that is killed leaves half
    of its bytes; a `close` happens even if it fails. With a `label` random names are no longer random: they
    start with it and count.
    """

    def __init__(self, fault: Fault, label: int | None = None) -> None:
        self.calls: list[Call] = []
        self._fault = fault
        self._label = label
        self._named = 0
        self._dead = False
        self._names: dict[int, str] = {}

    def __getattr__(self, name: str) -> Any:
        real = getattr(os, name)
        if name not in WATCHED:
            return real
        special = getattr(self, f"_do_{name}", None)
        return special or (lambda *args, **options: self._plain(name, real, *args, **options))

    def urandom(self, size: int) -> bytes:
        if self._label is None:
            return os.urandom(size)
        self._named += 1
        return bytes([self._label]) + self._named.to_bytes(size - 1)

    def _note(self, name: str, subject: int | str, more: str | bytes | int | None = None) -> None:
        path = self._names.get(subject, "?") if isinstance(subject, int) else subject
        call = Call(len(self.calls) + 1, name, path, more)
        self.calls.append(call)
        try:
            self._fault(call)
        except Killed:
            self._dead = True
            raise

    def _plain(
        self, name: str, real: Callable[..., Any], subject: int | str, *args: Any, **options: Any
    ) -> Any:
        more = args[0] if args and isinstance(args[0], str) else None
        self._note(name, subject, more)
        return real(subject, *args, **options)

    def _do_open(self, path: str, flags: int, mode: int = 0o777) -> int:
        self._note("open", path, "cut" if flags & os.O_TRUNC else "new" if flags & os.O_CREAT else None)
        descriptor = os.open(path, flags, mode)
        self._names[descriptor] = path
        return descriptor

    def _do_fchmod(self, descriptor: int, mode: int) -> None:
        self._note("fchmod", descriptor, mode)
        os.fchmod(descriptor, mode)

    def _do_write(self, descriptor: int, data: memoryview) -> int:
        alive = not self._dead
        try:
            self._note("write", descriptor, bytes(data))
        except Killed:
            if alive:
                os.write(descriptor, data[: len(data) // 2])
            raise
        return os.write(descriptor, data)

    def sync(self, descriptor: int) -> None:
        """Take the place of `files._sync`, whose way of flushing depends on the system."""
        self._note("fsync", descriptor)

    def _do_close(self, descriptor: int) -> None:
        os.close(descriptor)
        self._note("close", descriptor)


class ReplacedOs:
    """`os` with some of its functions replaced."""

    def __init__(self, **replaced: Callable[..., Any]) -> None:
        self.__dict__.update(replaced)

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)


@contextlib.contextmanager
def watching(fault: Fault = no_fault, label: int | None = None) -> Iterator[list[Call]]:
    """Watch what the store does in the `with` block; yield the log of its calls."""
    watched = WatchedOs(fault, label)
    with contextlib.ExitStack() as stack:
        for module in (files, reads):
            stack.enter_context(mock.patch.object(module, "os", watched))
        stack.enter_context(mock.patch.object(files, "_sync", watched.sync))
        yield watched.calls
