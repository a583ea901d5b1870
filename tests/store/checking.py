"""What has to be true of a home after anything that can go wrong, and short ways to make and look at one.

Owns the scenarios and the checks; `faults.py` makes what goes wrong.
"""

import itertools
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from store.faults import Call, Fault, Killed, kill_at, watching
from wuu.errors import IoProblem, WuuError
from wuu.store import journal
from wuu.store.changes import Change, ChangeSet, Committed, Request, digest_of
from wuu.store.files import TEMP_PREFIX
from wuu.store.home import RECEIPTS, Home, open_home
from wuu.store.transaction import commit

Files = Mapping[str, bytes | None]  # None: not there

COMMAND = "the first change"
ELSEWHERE = "other.md"


class Scenario(NamedTuple):
    """A home with `before` in it, and a change of some of these files to `after`."""

    name: str
    before: Files
    after: Files
    request: Request | None = None

    @property
    def leaves_receipt(self) -> bool:
        return self.request is not None or len(self.after) > 1

    def state(self, *, changed: bool) -> dict[str, bytes | None]:
        start = {path: self.before.get(path) for path in (*self.before, *self.after)}
        return {**start, **self.after} if changed else start

    def folders(self) -> list[str]:
        return sorted({os.path.dirname(path) for path in self.state(changed=True)})


SCENARIOS = (
    Scenario(
        "edit the index and add a topic",
        {"memory/MEMORY.md": b"# Memory\n"},
        {"memory/MEMORY.md": b"# Memory\n\n- [Owl](owl.md)\n", "memory/owl.md": b"The owl sleeps by day.\n"},
    ),
    Scenario(
        "rename a topic into a new folder",
        {"memory/MEMORY.md": b"- [Owl](owl.md)\n", "memory/owl.md": b"The owl.\n"},
        {
            "memory/MEMORY.md": b"- [Bird](bird.md)\n",
            "memory/owl.md": None,
            "old/birds/bird.md": b"The owl.\n",
        },
    ),
    Scenario("remove two", {"a/one.md": b"1\n", "b/two.md": b"2\n"}, {"a/one.md": None, "b/two.md": None}),
    Scenario("edit one", {"memory/owl.md": b"The owl.\n"}, {"memory/owl.md": b"The owl hunts by night.\n"}),
    Scenario("add one", {}, {"memory/owl.md": b"The owl.\n"}),
    Scenario("remove one", {"memory/owl.md": b"The owl.\n"}, {"memory/owl.md": None}),
    Scenario(
        "add one under a request id", {}, {"memory/owl.md": b"The owl.\n"}, Request("request-1", "digest-1")
    ),
)


def plan_of(changes: Files) -> Callable[[Home], ChangeSet[None]]:
    """Return the plan that takes these files from what they are to what they shall be."""

    def plan(home: Home) -> ChangeSet[None]:
        return ChangeSet(
            tuple(Change(path, digest_of(home.read(path)), after) for path, after in changes.items()), None
        )

    return plan


def make_home(root: str, before: Files) -> Home:
    """Make a home that has been in use, with files that a person put there."""
    home = open_home(root)
    commit(home, plan_of({"used.md": b"used\n"}), command="set up")
    put(home, before)
    return home


def make_interrupted_home(root: str, scenario: Scenario) -> Home:
    """Make a home whose last writer died right after it had decided the change of `scenario`."""
    home = make_home(root, scenario.before)
    for number in itertools.count(1):
        outcome_under(kill_at(number), attempt, home, scenario)
        if journal.intent_names(home):
            return home
    raise AssertionError


class Copies:
    """Fresh copies of a home, as many as asked for, in a folder of their own."""

    def __init__(self, place: Path, origin: Home) -> None:
        self._place, self._origin, self._numbers = place, origin, itertools.count()

    def fresh(self) -> Home:
        copy = str(self._place / f"copy-{next(self._numbers)}")
        shutil.copytree(self._origin.root, copy)
        return Home(copy)


def put(home: Home, contents: Files) -> None:
    """Write or remove files by hand, the way an editor does."""
    for path, data in contents.items():
        place = home.place(path)
        if data is None:
            os.unlink(place)
            continue
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "wb") as file:
            file.write(data)


def read_state(home: Home, paths: Mapping[str, Any]) -> dict[str, bytes | None]:
    """Return what stands at these paths."""
    return {path: home.read(path) for path in paths}


def tree(root: str) -> dict[str, bytes]:
    """Return every file below `root` with its bytes, every folder with a slash, and what links lead to."""
    found: dict[str, bytes] = {}
    for folder, folders, names in os.walk(root):
        inside = os.path.relpath(folder, root)
        found.update({os.path.normpath(os.path.join(inside, name)) + "/": b"" for name in folders})
        found.update({os.path.normpath(os.path.join(inside, name)): _look(folder, name) for name in names})
    return found


def _look(folder: str, name: str) -> bytes:
    place = Path(folder, name)
    if place.is_symlink():
        return b"-> " + os.fsencode(os.readlink(place))
    return place.read_bytes() if place.is_file() else b"no file"


def leftovers(home: Home) -> list[str]:
    """Return the temps, intents and parked intents that are lying about."""
    endings = (journal.INTENT_ENDING, ".damaged")
    return [
        path
        for path in tree(home.root)
        if os.path.basename(path).startswith(TEMP_PREFIX) or path.endswith(endings)
    ]


def receipts_of(home: Home, command: str = COMMAND) -> list[str]:
    """Return the names of the receipts that `command` left."""
    names = os.listdir(home.place(RECEIPTS)) if os.path.isdir(home.place(RECEIPTS)) else []
    names = [name for name in names if name.endswith(journal.RECEIPT_ENDING)]
    return [name for name in names if journal._read_receipt(home, name).command == command]


def attempt(home: Home, scenario: Scenario) -> Committed[None]:
    """Try the change of `scenario`."""
    return commit(home, plan_of(scenario.after), command=COMMAND, request=scenario.request)


def write_elsewhere(home: Home, scenario: Scenario) -> None:
    """Change something else, in every folder of the scenario, as the next writer does."""
    changes = {os.path.join(folder, ELSEWHERE): b"elsewhere\n" for folder in (*scenario.folders(), "else")}
    commit(home, plan_of(changes), command="the second change")


def outcome_under(
    fault: Fault, act: Callable[..., object], *args: Any, **options: Any
) -> tuple[BaseException | None, list[Call]]:
    """Run `act` with its arguments under a fault; return how it ended (None: well) and the calls it made."""
    ended: BaseException | None = None
    with watching(fault) as calls:
        try:
            act(*args, **options)
        except (Killed, WuuError) as error:
            ended = error
    return ended, calls


def objections(home: Home, scenario: Scenario, *, made: bool | None = None) -> Iterator[str]:
    """Object to what must not be after the next writer; `made` says whether the change has to be there."""
    found = read_state(home, scenario.state(changed=True))
    is_made, is_absent = (found == scenario.state(changed=changed) for changed in (True, False))
    if not is_made and not is_absent:
        yield f"half a change: {found}"
    if made is not None and is_made is not made:
        yield f"the change is {'there' if is_made else 'not there'}, but was said to be otherwise"
    if left := leftovers(home):
        yield f"left behind: {left}"
    if len(receipts_of(home)) != int(is_made and scenario.leaves_receipt):
        yield f"{len(receipts_of(home))} receipts of a change that is {'' if is_made else 'not '}made"
    for folder in scenario.folders():
        if home.read(os.path.join(folder, ELSEWHERE)) != b"elsewhere\n":
            yield f"the second change is missing in {folder}"


def said_to_be_made(ended: BaseException | None) -> bool | None:
    """Return what an outcome says of the change: made (now or later), not made, or that it cannot tell."""
    if ended is None:
        return True
    if isinstance(ended, IoProblem):
        return bool(ended.details.get("recorded", False))
    return None if isinstance(ended, Killed) else False
