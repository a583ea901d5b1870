"""SIGTERM for commands that write: it ends them as Ctrl-C does, so that nothing half-staged stays behind.

Readers have nothing to clean up, and importing `signal` would cost them a seventh of the start of Python.
"""

import signal
from types import FrameType
from typing import NoReturn

from wuu.errors import Terminated


def end_on_sigterm() -> None:
    """Raise `Terminated` when SIGTERM comes. Outside the main thread whoever embeds wuu handles signals."""

    def end(_signal: int, _frame: FrameType | None) -> NoReturn:
        raise Terminated("Terminated.")

    try:
        signal.signal(signal.SIGTERM, end)
    except ValueError:
        return
