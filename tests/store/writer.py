"""A writer or a reader as a process of its own: `python writer.py KIND HOME …`, for tests that kill it.

Prints how it ended as one line of JSON; the exit status is that of the error.
"""

import contextlib
import io
import json
import os
import resource
import sys
import time
from typing import Any

from wuu.errors import WuuError
from wuu.store.changes import Change, ChangeSet, change
from wuu.store.home import Home, open_home
from wuu.store.transaction import commit

LINES, PAIR = "memory/lines.md", ("memory/one.md", "notes/two.md")


def append(home: Home, line: str, *, alone: bool) -> None:
    """Add `line` to the one file that everybody adds to; unless `alone`, leave a file of its own too."""

    def plan(reader: Home) -> ChangeSet[None]:
        old = reader.read(LINES)
        changes = [change(LINES, old, (old or b"") + line.encode() + b"\n")]
        if not alone:
            changes.append(Change(f"memory/{line}.md", None, line.encode()))
        return ChangeSet(tuple(changes), None)

    commit(home, plan, command=f"append {line}")


def hold_on(home: Home) -> None:
    """Take the lock and keep it, inside the plan, until somebody kills this process."""

    def plan(_: Home) -> ChangeSet[None]:
        say("holding")
        time.sleep(600)
        return ChangeSet((), None)

    commit(home, plan, command="hold on")


def write_pairs(home: Home, start: int) -> None:
    """Write one number after the other into two files, alternately edited and made anew, without an end."""
    for number in range(start, start + 1_000_000):
        data = b"%d\n" % number * 50

        def plan(reader: Home, data: bytes = data, number: int = number) -> ChangeSet[None]:
            after = None if number % 5 == 4 else data
            return ChangeSet(tuple(change(path, reader.read(path), after) for path in PAIR), None)

        commit(home, plan, command="write pairs")
        if number == start:
            say("writing")


def write_sizes(home: Home, limit: int, sizes: list[int]) -> None:
    """Write files of these sizes at once; with a `limit` no file of this process may have more bytes."""
    if limit:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    def plan(reader: Home) -> ChangeSet[None]:
        paths = [f"memory/{number}.md" for number in range(len(sizes))]
        return ChangeSet(
            tuple(
                change(path, reader.read(path, limit=1 << 26), b"x" * size)
                for path, size in zip(paths, sizes, strict=True)
            ),
            None,
        )

    commit(home, plan, command="write sizes")


def read_on(home: Home, until: str) -> None:
    """Read what `write_pairs` writes, and list the notebook, until there is a file `until`."""
    from wuu.launch import main as wuu

    said: dict[str, Any] = {"reads": 0, "absent": 0, "odd": []}
    while not os.path.exists(until):
        for path in PAIR:
            data = home.read(path)
            whole = data is not None and len(set(data.split())) == 1 and data.count(b"\n") == 50
            said["reads"] += 1
            said["absent"] += data is None
            said["odd"] += [] if whole or data is None else [f"{path}: {data!r}"]
        listed = io.StringIO()
        with contextlib.redirect_stdout(listed):
            status = wuu(["--home", home.root, "notebook", "list", "--json"])
        said["odd"] += [] if status == 0 else [listed.getvalue()]
    say(json.dumps(said))


def say(text: str) -> None:
    """Tell whoever reads our output, at once."""
    os.write(1, text.encode() + b"\n")


def main(kind: str, root: str, *arguments: str) -> int:
    """Do what was asked, and say how it ended."""
    try:
        home = open_home(root)
        if kind in ("append", "append-alone"):
            append(home, arguments[0], alone=kind == "append-alone")
        elif kind == "hold":
            hold_on(home)
        elif kind == "read":
            read_on(home, arguments[0])
            return 0
        elif kind == "pairs":
            write_pairs(home, int(arguments[0]))
        else:
            write_sizes(home, int(arguments[0]), [int(size) for size in arguments[1:]])
    except WuuError as error:
        say(json.dumps({"code": error.code, "message": error.message, "details": error.details}))
        return error.exit_status
    say(json.dumps({"code": None}))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
