"""Runs wuu for a test: in this process, or as the installed program.

Owns how output is captured; knows no command.
"""

import io
import json
import os
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol
from unittest import mock

from house.places import MEASURING


class Ran(NamedTuple):
    """What one run of wuu left: its exit status and its two streams."""

    exit_code: int
    stdout_bytes: bytes
    stderr_bytes: bytes

    @property
    def stdout(self) -> str:
        return self.stdout_bytes.decode()

    @property
    def stderr(self) -> str:
        return self.stderr_bytes.decode()

    def json(self) -> Any:
        """Return stdout as the one JSON document that it must be."""
        return json.loads(self.stdout_bytes)

    @property
    def data(self) -> Any:
        """Return the `data` of the JSON envelope."""
        return self.json()["data"]


class Invoke(Protocol):
    """Run wuu with these arguments. As a process it also takes `cwd` and `timeout` in seconds."""

    def __call__(
        self, *arguments: str, stdin: str | bytes = b"", env: Mapping[str, str] | None = None, **options: Any
    ) -> Ran: ...


class _Stream(io.TextIOWrapper):
    """A text stream over memory that keeps its bytes, as a pipe would get them."""

    def __init__(self, content: bytes = b"") -> None:
        self.memory = io.BytesIO(content)
        super().__init__(self.memory, encoding="utf-8", newline="\n", write_through=True)

    def close(self) -> None:
        """Stay open: the test reads what was written."""


def run_in_process(arguments: tuple[str, ...], *, stdin: str | bytes = b"", env: Mapping[str, str]) -> Ran:
    """Run `wuu.launch.main` here, with streams of its own. Fast, and measured by coverage."""
    from wuu.launch import main

    on_sigterm = signal.getsignal(signal.SIGTERM)
    streams = {"stdin": _Stream(_bytes(stdin)), "stdout": _Stream(), "stderr": _Stream()}
    with mock.patch.dict(os.environ, env), mock.patch.multiple(sys, **streams):
        try:
            status = main(list(arguments))
        finally:
            signal.signal(signal.SIGTERM, on_sigterm)
    return Ran(status, streams["stdout"].memory.getvalue(), streams["stderr"].memory.getvalue())


def run_process(
    arguments: tuple[str, ...],
    *,
    stdin: str | bytes = b"",
    env: Mapping[str, str],
    cwd: str | os.PathLike[str] | None = None,
    timeout: float = 120,
) -> Ran:
    """Run the installed console script, the way a person or an agent does, measured. `timeout` in seconds."""
    done = subprocess.run(
        [console_script(), *arguments],
        input=_bytes(stdin),
        capture_output=True,
        env={**os.environ, **MEASURING, **env},
        cwd=cwd,
        timeout=timeout,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def console_script() -> str:
    """Return the path of the `wuu` program of this environment."""
    return os.path.join(scripts_folder(), "wuu.exe" if os.name == "nt" else "wuu")


def scripts_folder() -> str:
    """Return the folder of this environment's programs."""
    return sysconfig.get_path("scripts")


def _bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text
