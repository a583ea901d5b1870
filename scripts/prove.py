"""Print what the crash-state checker makes of the store; exit 1 if it objects, or if a weakened store passes.

Without `--quick` recovery itself is cut in every scenario, which takes a quarter of an hour; with it nine
scenarios are looked at, one of them with its recovery, and each weakened store until the first objection.
Without it the tests that the suite shortens run in full as well: 200 writers killed, every call refused in
every way.
"""

import argparse
import importlib
import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent / "tests"
SHORTENED = (
    "cases/test_kill.py",
    "store/test_crash_states.py",
    "store/test_faults.py",
    "store/test_processes.py",
)


def main(arguments: list[str]) -> int:
    """Run the script; return its exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--quick", action="store_true", help="less of all, in a quarter of a minute")
    quick = parser.parse_args(arguments).quick
    sys.path.insert(0, str(TESTS))
    proof = importlib.import_module("store.proof")  # the checker belongs to the tests
    with proof.in_memory() as place:
        proved = proof.prove(place, _tell, quick=quick)
    return 0 if (quick or _passes_in_full()) and proved else 1


def _passes_in_full() -> bool:
    """Run the tests that the suite shortens, with nothing left out; say whether they pass."""
    _tell("\nthe tests that the suite shortens, in full")
    command = [sys.executable, "-m", "pytest", "-q", *(str(TESTS / one) for one in SHORTENED)]
    environment = {**os.environ, "WUU_THOROUGH": "1"}
    done = subprocess.run(command, env=environment, cwd=TESTS.parent, check=False)  # noqa: S603  (our own tests)
    return done.returncode == 0


def _tell(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
