"""A home with every state file that there is, and ways to damage one of them.

Owns what the files are called in the documents and how they are broken; what then has to happen is in
`test_damage.py`.
"""

import itertools
import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from house.invocation import Invoke
from store.checking import outcome_under, plan_of, put
from store.faults import kill_at
from wuu.store import journal
from wuu.store.home import CONFLICTS, JOURNAL, Home, open_home
from wuu.store.locks import hold
from wuu.store.recovery import recover, settle
from wuu.store.state import keep_text
from wuu.store.transaction import commit

BODY = "A line about {} that has to stay whole.\n"
NOTES = ("owl.md", "elk.md")
EDITED = b"what a person wrote in between\n"


def _flip(position: float, bit: int) -> Callable[[bytes], bytes]:
    def damage(data: bytes) -> bytes:
        at = min(int(len(data) * position), len(data) - 1)
        return data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :] if data else b"\x01"

    return damage


DAMAGES: dict[str, Callable[[bytes], bytes | None]] = {
    "deleted": lambda _: None,
    "empty": lambda _: b"",
    "half": lambda data: data[: len(data) // 2],
    "first bit": _flip(0, 0x04),
    "middle bit": _flip(0.5, 0x04),
    "last bit": _flip(1, 0x04),
    "high bit": _flip(0.5, 0x80),
}


class StateFile(NamedTuple):
    """A state file: its name in docs/reference/home-layout.md, and the folder and ending to find it by."""

    name: str
    folder: str
    start: str = ""
    end: str = ""

    def find(self, root: Path) -> Path:
        """Return the place of the one file of this kind."""
        names = os.listdir(root / self.folder)
        (name,) = [one for one in names if one.startswith(self.start) and one.endswith(self.end)]
        return root / self.folder / name


STATE_FILES = (
    StateFile("memory/MEMORY.md", "memory", "MEMORY.md"),
    StateFile("memory/<topic>.md", "memory", "owl.md"),
    StateFile("settings.json", "", "settings.json"),
    StateFile("home.json", "", "home.json"),
    StateFile(".gitignore", "", ".gitignore"),
    StateFile(".lock", "", ".lock", "lock"),
    StateFile(".lock.json", "", ".lock.json"),
    StateFile("journal/<id>.intent", "journal", end=".intent"),
    StateFile("conflicts/<id>.intent", "conflicts", end=".intent"),
    StateFile("conflicts/<id>.damaged", "conflicts", end=".damaged"),
    StateFile("conflicts/kept-<id>-<hash>-<file>", "conflicts", "kept-"),
    StateFile("receipts/<time>-<id>-<key>.json", "receipts", "2"),
    StateFile("state/reads/<topic>", "state/reads", "owl.md"),
    StateFile("state/drafts/", "state/drafts"),
    StateFile("state/reports/", "state/reports"),
    StateFile(".wuu-tmp-<id>", "memory", ".wuu-tmp-"),
)


def furnish(root: Path, invoke: Invoke) -> None:
    """Put everything into a home that a home can have: notes, receipts, interrupted changes, drafts."""
    for number, note in enumerate(NOTES):
        wanted = ["--description", "d", *(["--request-id", "first"] if number == 0 else [])]
        assert invoke("notebook", "write", note, BODY.format(note), *wanted).exit_code == 0
    assert invoke("notebook", "read", "owl.md").exit_code == 0
    assert invoke("notebook", "search", "line").exit_code == 0
    home = open_home(str(root))
    (receipt,) = [path for path in (root / "receipts").iterdir() if not path.name.endswith("-0.json")]
    for other in set((root / "receipts").iterdir()) - {receipt}:
        other.unlink()
    _settle(home, _park(home, "kept"), keep_prepared=True)
    _park(home, "parked")
    damaged = _park(home, "damaged")
    os.replace(home.place(f"{CONFLICTS}/{damaged}.intent"), home.place(f"{CONFLICTS}/{damaged}.damaged"))
    _interrupt(home, "pending")
    for other in set((root / "receipts").iterdir()) - {receipt}:
        other.unlink()
    keep_text(home, "drafts", "draft.md", b"a draft\n")
    keep_text(home, "reports", "report.txt", b"a report\n")
    (root / "settings.json").write_text('{"notebookEnabled": true}\n')
    (root / "memory" / ".wuu-tmp-00").write_text("half a note")


def _interrupt(home: Home, name: str) -> str:
    """Leave a change of two files that is decided and not made; return its id."""
    changes = {f"other/{name}-1.txt": b"prepared\n", f"other/{name}-2.txt": b"prepared\n"}
    for number in itertools.count(1):
        outcome_under(kill_at(number), commit, home, plan_of(changes), command=name)
        if names := journal.intent_names(home):
            for path in changes:
                if os.path.exists(home.place(path)):
                    os.unlink(home.place(path))
            return names[0].removesuffix(journal.INTENT_ENDING)
    raise AssertionError


def _park(home: Home, name: str) -> str:
    intent_id = _interrupt(home, name)
    put(home, {f"other/{name}-1.txt": EDITED})
    with hold(home, "test"):
        recover(home)
    assert not os.listdir(home.place(JOURNAL))
    return intent_id


def _settle(home: Home, intent_id: str, *, keep_prepared: bool) -> None:
    with hold(home, "test"):
        settle(home, intent_id, keep_prepared=keep_prepared)
