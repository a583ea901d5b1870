"""Print what the crash-state checker makes of the store; exit 1 if it objects, or if a weakened store passes.

Without `--quick` recovery itself is cut in every scenario, which takes a quarter of an hour; with it nine
scenarios are looked at, one of them with its recovery, and each weakened store until the first objection.
"""

import argparse
import importlib
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent / "tests"


def main(arguments: list[str]) -> int:
    """Run the script; return its exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--quick", action="store_true", help="less of all, in a quarter of a minute")
    quick = parser.parse_args(arguments).quick
    sys.path.insert(0, str(TESTS))
    proof = importlib.import_module("store.proof")  # the checker belongs to the tests
    with proof.in_memory() as place:
        return 0 if proof.prove(place, _tell, quick=quick) else 1


def _tell(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
