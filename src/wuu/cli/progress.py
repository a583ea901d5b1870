"""A bar on stderr for work that takes a while: at a terminal only, gone when the work is done."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from wuu.cli.call import Call
from wuu.cli.output import find_terminal

_WORTH_A_BAR = 20


@contextmanager
def shown_progress(call: Call, label: str) -> Iterator[Callable[[int, int], None] | None]:
    """Yield what is to be told how much of how much is done; None where nobody would see it."""
    stream = find_terminal(call)
    if stream is None:
        yield None
        return
    bar: Any = click.progressbar(length=1, label=label, file=stream)
    shown = False

    def advance(done: int, total: int) -> None:
        nonlocal shown
        if total < _WORTH_A_BAR:
            return
        bar.length = total
        if not shown:
            bar.render_progress()
            shown = True
        bar.update(done - bar.pos)

    try:
        yield advance
    finally:
        if shown:
            bar.render_finish()
