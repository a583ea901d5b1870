"""A model of a disk under the calls of the store: what is durable, what is not yet, what a crash may leave.

Owns the model and nothing about wuu. In the sense of ALICE and CrashMonkey: the bytes of a file are durable
once it was synced, a name once its folder was; until then each may have reached the disk or not. A rename is
two entries, one that comes and one that goes, and either may survive alone. Limits: a single entry changes at
once; unsynced bytes are there, absent, zeros of the same length, cut at a half, or there but for a first half
of zeros; folders are never renamed.
"""

import itertools
import math
import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple, Self

from store.faults import Call

FOLDER = -1  # what an entry leads to, if not to a file
ROOT = ""
TEMP = ".wuu-tmp-"
MOST_OF_A_FOLDER = 64  # combinations of the entries of one folder, and of unsynced files in one tree
MOST_STATES = 1_024  # combinations of entries at one cut point

# Bytes and mode of each file, and the first of its names if it has several; None is a folder.
Content = tuple[bytes, int] | tuple[bytes, int, str]
Tree = dict[str, Content | None]
Entries = dict[str, int | None]  # None: no such name


class File(NamedTuple):
    """A file by what a reader sees, and by what the disk keeps for certain: bytes and mode."""

    now: bytes
    mode: int
    safe: bytes
    safe_mode: int


class Survivor(NamedTuple):
    """What a power failure may leave, and in a few words how that differs from what a kill leaves."""

    tree: Tree
    text: str


def key_of(tree: Tree) -> frozenset[tuple[str, Content | None]]:
    """Return what tells one state from another: all but the random names of temporary files."""
    return frozenset((_without_chance(path), _key_of_content(content)) for path, content in tree.items())


def _key_of_content(content: Content | None) -> Content | None:
    return content and (*content[:2], _without_chance(content[2]) if len(content) > 2 else "")


def _without_chance(path: str) -> str:
    folder, name = os.path.split(path)
    return os.path.join(folder, TEMP) if name.startswith(TEMP) else path


class Disk:
    """A disk that starts with `tree` on it, all of it durable. Paths are relative to its root."""

    def __init__(self, tree: Tree) -> None:
        self._files: dict[int, File] = {}
        self._safe: Entries = {}
        for path, content in tree.items():
            first = content[2] if content is not None and len(content) > 2 else ""
            known = self._safe.get(first)
            self._safe[path] = self._add(content) if known is None else known
        self._now: Entries = dict(self._safe)
        self._steps: list[Entries] = []  # changes of entries that are not synced, oldest first

    def copy(self) -> Self:
        other = object.__new__(type(self))
        other._files, other._safe, other._now = dict(self._files), dict(self._safe), dict(self._now)
        other._steps = list(self._steps)
        return other

    # --- what happens ---

    def apply(self, call: Call) -> None:
        """Follow one call; what changes nothing is no step."""
        step = getattr(self, f"_{call.name}", None)
        if step is not None and call.changes:
            step(call.path, call.more)

    def tear(self, call: Call) -> None:
        """Follow a `write` that was cut short in its middle."""
        assert isinstance(call.more, bytes)
        self._write(call.path, call.more[: len(call.more) // 2])

    def put(self, path: str, data: bytes | None) -> None:
        """Write or remove a file by hand, durably."""
        self._steps = [{one: to for one, to in step.items() if one != path} for step in self._steps]
        number = None if data is None else self._add((data, 0o600))
        parents = [os.path.dirname(path)]
        while parents[-1] not in (ROOT, *self._now):
            parents.append(os.path.dirname(parents[-1]))
        made = {parent: FOLDER for parent in parents if parent != ROOT}
        self._safe.update({**made, path: number})
        self._now.update({**made, path: number})

    def _add(self, content: Content | None) -> int:
        if content is None:
            return FOLDER
        number = len(self._files)
        self._files[number] = File(*content[:2], *content[:2])
        return number

    def _enter(self, changes: Entries) -> None:
        self._now.update(changes)
        self._steps.append(changes)

    def _number(self, path: str) -> int:
        number = self._now[path]
        assert number is not None, f"{path} is not there"
        return number

    def _open(self, path: str, more: object) -> None:
        if self._now.get(path) is None:
            number = self._add((b"", 0o600))
            self._enter({path: number})
        elif more == "cut":
            number = self._number(path)
            self._files[number] = self._files[number]._replace(now=b"")

    def _write(self, path: str, data: bytes) -> None:
        number = self._number(path)
        old = self._files[number]
        self._files[number] = old._replace(now=old.now + data)

    def _fchmod(self, path: str, mode: int) -> None:
        number = self._number(path)
        self._files[number] = self._files[number]._replace(mode=mode)

    def _fsync(self, path: str, _: object) -> None:
        number = FOLDER if path == ROOT else self._number(path)
        if number != FOLDER:
            one = self._files[number]
            self._files[number] = File(one.now, one.mode, one.now, one.mode)
            return
        for step in self._steps:
            self._safe.update({one: to for one, to in step.items() if os.path.dirname(one) == path})
        left = ({one: to for one, to in step.items() if os.path.dirname(one) != path} for step in self._steps)
        self._steps = [step for step in left if step]

    def _replace(self, path: str, new: str) -> None:
        self._enter({new: self._number(path), path: None})

    def _link(self, path: str, new: str) -> None:
        self._enter({new: self._number(path)})

    def _unlink(self, path: str, _: object) -> None:
        self._enter({path: None})

    def _mkdir(self, path: str, _: object) -> None:
        self._enter({path: FOLDER})

    # --- what is left ---

    def tree(self) -> Tree:
        """Return what a reader sees, and a killed process leaves."""
        return self._tree(self._now, {})

    def survivors(self, *, temps_apart: bool = True) -> tuple[list[Survivor], bool]:
        """Return what a power failure may leave, and whether those are all combinations there are.

        Unless `temps_apart`, the temporary files of a folder stay or go together: nobody but a sweep asks.
        """
        choices, complete = self._choices(temps_apart=temps_apart)
        found: dict[object, Survivor] = {}
        for choice in choices:
            trees, all_of_them = self._trees(choice)
            complete = complete and all_of_them
            for one in trees:
                found.setdefault(key_of(one.tree), one)
        return list(found.values()), complete

    def _choices(self, *, temps_apart: bool) -> tuple[Iterable[Entries], bool]:
        """Return what the unsynced entries may be; above the cap each folder's with all or no others."""
        folders = sorted({os.path.dirname(path) for step in self._steps for path in step})
        lists = [self._choices_in(folder, temps_apart=temps_apart) for folder in folders]
        complete = all(whole for _, whole in lists)
        if math.prod(len(one) for one, _ in lists) <= MOST_STATES:
            return (_merged(parts) for parts in itertools.product(*(one for one, _ in lists))), complete
        every = {path: self._now.get(path) for step in self._steps for path in step}
        return (
            {**(every if others_survive else {}), **choice}
            for one, _ in lists
            for others_survive in (False, True)
            for choice in one
        ), False

    def _choices_in(self, folder: str, *, temps_apart: bool) -> tuple[list[Entries], bool]:
        """Return what the entries of one folder may be: any subset, or prefixes and each alone."""
        steps = [
            {one: to for one, to in step.items() if os.path.dirname(one) == folder} for step in self._steps
        ]
        steps = [step for step in steps if step]
        values: dict[str, list[int | None]] = {}
        for step in steps:
            for path, to in step.items():
                values.setdefault(path, [self._safe.get(path)]).append(to)
        distinct = {path: list(dict.fromkeys(one)) for path, one in values.items()}
        if not temps_apart:
            return _with_temps_together(distinct), True
        if math.prod(map(len, distinct.values())) <= MOST_OF_A_FOLDER:
            products = itertools.product(*distinct.values())
            return [dict(zip(distinct, one, strict=True)) for one in products], True
        none, every = ({path: one[end] for path, one in values.items()} for end in (0, -1))
        prefixes = [_merged((none, *steps[:number])) for number in range(len(steps) + 1)]
        alone = [{**base, path: to} for base in (none, every) for path, one in distinct.items() for to in one]
        return [*prefixes, *alone], False

    def _trees(self, choice: Entries) -> tuple[list[Survivor], bool]:
        """Return the states with these entries: each file that is reached as it may have got there."""
        entries = {path: to for path, to in {**self._safe, **choice}.items() if to is not None}
        reached = {path: to for path, to in entries.items() if _is_reached(path, entries)}
        lost = [path for path, to in choice.items() if to != self._now.get(path)]
        numbers = sorted({to for to in reached.values() if to != FOLDER and self._variants(to)})
        lists = [self._variants(number) for number in numbers]
        complete = math.prod(len(one) + 1 for one in lists) <= MOST_OF_A_FOLDER
        combined: Iterable[tuple[tuple[str, bytes, int] | None, ...]]
        if complete:
            combined = itertools.product(*([None, *one] for one in lists))
        else:
            combined = _one_at_a_time([[None, *one] for one in lists])
        return [
            self._survivor(reached, lost, dict(zip(numbers, one, strict=True))) for one in combined
        ], complete

    def _survivor(
        self, reached: Entries, lost: list[str], torn: dict[int, tuple[str, bytes, int] | None]
    ) -> Survivor:
        names = [os.path.basename(path) for path in lost]
        texts = [f"without the change of {name}" for name in names if not name.startswith(TEMP)]
        texts += [
            f"{os.path.basename(path)} {variant[0]}"
            for path, number in reached.items()
            if number is not None and (variant := torn.get(number))
        ]
        contents = {number: variant[1:] for number, variant in torn.items() if variant is not None}
        return Survivor(self._tree(reached, contents), "".join(f", {text}" for text in texts))

    def _tree(self, entries: Entries, contents: dict[int, tuple[bytes, int]]) -> Tree:
        """Return a state with these entries; files have their bytes of now where `contents` has no others."""
        tree: Tree = {}
        firsts: dict[int, str] = {}
        for path in sorted(path for path, number in entries.items() if number is not None):
            number = entries[path]
            assert number is not None
            if number == FOLDER:
                tree[path] = None
            elif number in firsts:
                tree[path] = (*contents.get(number, self._files[number][:2]), firsts[number])
            else:
                firsts[number] = path
                tree[path] = contents.get(number, self._files[number][:2])
        return tree

    def _variants(self, number: int) -> list[tuple[str, bytes, int]]:
        """Return what of an unsynced file may be on the disk, but for all of it."""
        one = self._files[number]
        if one.now == one.safe:
            return [] if one.mode == one.safe_mode else [("with its old mode", one.safe, one.safe_mode)]
        half = len(one.now) // 2
        found = {
            one.safe: "without new bytes",
            bytes(len(one.now)): "all zeros",
            one.now[:half]: "cut in half",
            bytes(half) + one.now[half:]: "half zeros",
        }
        return [(text, data, one.safe_mode) for data, text in found.items() if data != one.now]


def _with_temps_together(values: dict[str, list[int | None]]) -> list[Entries]:
    temps = {path: one for path, one in values.items() if os.path.basename(path).startswith(TEMP)}
    others = {path: one for path, one in values.items() if path not in temps}
    together: list[Entries] = [dict.fromkeys(temps)]
    if temps:
        together.append({path: max(number or 0 for number in one) for path, one in temps.items()})
    products = [dict(zip(others, one, strict=True)) for one in itertools.product(*others.values())]
    return [{**one, **both} for one in products for both in together]


def _merged(parts: Iterable[Entries]) -> Entries:
    merged: Entries = {}
    for part in parts:
        merged.update(part)
    return merged


def _is_reached(path: str, entries: Entries) -> bool:
    folder = os.path.dirname(path)
    return folder == ROOT or (entries.get(folder) == FOLDER and _is_reached(folder, entries))


def _one_at_a_time(
    lists: list[list[tuple[str, bytes, int] | None]],
) -> Iterator[tuple[tuple[str, bytes, int] | None, ...]]:
    """Yield all whole, then one that is not, then all of them torn in the same way."""
    whole = [one[0] for one in lists]
    yield tuple(whole)
    for number, one in enumerate(lists):
        for variant in one[1:]:
            yield (*whole[:number], variant, *whole[number + 1 :])
    yield from itertools.zip_longest(*(one[1:] for one in lists))
