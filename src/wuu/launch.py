"""The console entry. It decides which way a call takes and imports nothing that this way does not need."""

import gc
import sys

_COLLECT_AFTER = 100_000  # objects; most calls end before, and collecting while importing costs them 3 %


def main(argv: list[str] | None = None) -> int:
    """Run wuu with `argv` (without the program's name; None: the process's) and return its exit status."""
    if argv is None:
        gc.set_threshold(_COLLECT_AFTER)
        argv = sys.argv[1:]
    from wuu.cli.root import run  # noqa: PLC0415  (`wuu hook` will take a way without Click)

    return run(argv)
