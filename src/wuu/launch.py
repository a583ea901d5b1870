"""The console entry. It decides which way a call takes and imports nothing that this way does not need."""

import sys


def main(argv: list[str] | None = None) -> int:
    """Run wuu with `argv` (without the program's name; None: the process's) and return its exit status."""
    from wuu.cli.root import run  # noqa: PLC0415  (`wuu hook` will take a way without Click)

    return run(sys.argv[1:] if argv is None else argv)
