"""What is cut in the proof, and what has to be true afterwards. The walk itself is in `crash_states.py`."""

import os
from collections.abc import Iterator

from store.checking import (
    ELSEWHERE,
    SCENARIOS,
    Files,
    Scenario,
    attempt,
    leftovers,
    make_home,
    make_interrupted_home,
    objections,
    plan_of,
    put,
    read_state,
    receipts_of,
    tree,
    write_elsewhere,
)
from store.crash_disk import Tree
from store.crash_states import Case
from wuu.store.changes import Request
from wuu.store.home import CONFLICTS, Home
from wuu.store.journal import INTENT_ENDING
from wuu.store.locks import hold
from wuu.store.recovery import read_conflicts, recover, settle
from wuu.store.transaction import commit

EDITED = b"what a person wrote in between\n"
INDEX = "memory/MEMORY.md"
MODE = 0o640  # of what was there before


def commit_case(scenario: Scenario) -> Case:
    """Return the case of a commit in a home that is in use."""
    return Case(
        scenario.name,
        "home",
        prepare=lambda home: _with_modes(make_home(home.root, scenario.before), scenario),
        act=lambda home: attempt(home, scenario),
        again=lambda home: write_elsewhere(home, scenario),
        judge=lambda home, made: _judge(home, scenario, made, scenario.before),
        made=lambda home: _made(home, scenario),
        promised=lambda home: _missing_elsewhere(home, scenario),
    )


def first_write_case() -> Case:
    """Return the case of the first write, in a home whose folder and the one above are not there either."""
    scenario = SCENARIOS[0]._replace(name="the first write of a home", before={})
    return commit_case(scenario)._replace(home="far/home", prepare=lambda _: None)


def second_write_case() -> Case:
    """Return the case of a change whose predecessor is not yet durable in all that it left."""
    first = SCENARIOS[0]
    second = Scenario(
        "a second change right after the first",
        first.after,
        {INDEX: b"# Memory\n", "memory/owl.md": None},
        Request("request-2", "digest-2"),
    )
    return commit_case(second)._replace(
        prepare=lambda home: _with_modes(make_home(home.root, first.before), first),
        earlier=lambda home: commit(home, plan_of(first.after), command="an earlier change"),
        judge=lambda home, made: _judge(home, second, made, first.before),
    )


def recovery_case(scenario: Scenario) -> Case:
    """Return the case of the writer that finds a decided change."""
    return commit_case(scenario)._replace(
        name=f"recover: {scenario.name}",
        prepare=lambda home: _with_modes(make_interrupted_home(home.root, scenario), scenario),
        act=lambda home: write_elsewhere(home, scenario),
        promises=True,
        judge=lambda home, _: _judge(home, scenario, True, scenario.before),
    )


def unsynced_recovery_case() -> Case:
    """Return the case of the writer that finds an intent whose name is not durable yet."""
    scenario = SCENARIOS[0]
    return commit_case(scenario)._replace(
        name="recover what is not durable yet",
        earlier=lambda home: attempt(home, scenario),
        until="fsync of journal",
        act=lambda home: write_elsewhere(home, scenario),
        promises=True,
    )


def edit_case(scenario: Scenario, path: str) -> Case:
    """Return the case of a person who edits a file after the crash."""
    case = commit_case(scenario)
    return case._replace(
        name=f"{scenario.name}, then {os.path.basename(path)} is edited",
        between=lambda _: [(f", {path} edited", {f"home/{path}": EDITED})],
        judge=lambda home, _: _judge_edit(home, scenario, path),
        made=lambda _: True,
    )


def park_case() -> Case:
    """Return the case of the writer that finds a decided change and an edit, and parks the first."""
    scenario, path = SCENARIOS[1], INDEX

    def prepare(home: Home) -> None:
        make_interrupted_home(home.root, scenario)
        put(home, {path: EDITED, "old/birds/bird.md": scenario.after["old/birds/bird.md"]})

    def judge(home: Home, made: bool | None) -> Iterator[str]:
        if made and len(read_conflicts(home)) != 1:
            yield "the conflict is gone"
        yield from _judge_edit(home, scenario, path)
        if not receipts_of(home):
            yield "the prepared change was never settled"

    return commit_case(scenario)._replace(
        name="park what an edit stopped",
        prepare=prepare,
        act=lambda home: write_elsewhere(home, scenario),
        promises=True,
        judge=judge,
        made=lambda _: True,
        temps_apart=False,
    )


def settle_case(*, keep_prepared: bool) -> Case:
    """Return the case of a person who settles a conflict."""
    scenario = SCENARIOS[0]
    wanted = (
        scenario.state(changed=True) if keep_prepared else {**scenario.state(changed=False), INDEX: EDITED}
    )

    def prepare(home: Home) -> None:
        make_interrupted_home(home.root, scenario)
        put(home, {INDEX: EDITED})
        write_elsewhere(home, scenario)

    def judge(home: Home, made: bool | None) -> Iterator[str]:
        if EDITED not in tree(home.root).values():
            yield "the edit is lost"
        write_elsewhere(home, scenario)
        if made and read_conflicts(home):
            yield "the conflict is back"
        _settle_all(home, keep_prepared=keep_prepared)
        write_elsewhere(home, scenario)
        if read_state(home, wanted) != wanted:
            yield f"not settled: {read_state(home, wanted)}"
        if left := leftovers(home):
            yield f"left behind: {left}"
        if len(receipts_of(home)) != int(keep_prepared):
            yield f"{len(receipts_of(home))} receipts"
        if keep_prepared and EDITED not in tree(home.root).values():
            yield "the copy of the edit is lost"

    return commit_case(scenario)._replace(
        name=f"settle: keep {'prepared' if keep_prepared else 'disk'}",
        prepare=prepare,
        act=lambda home: _settle_all(home, keep_prepared=keep_prepared),
        judge=judge,
        made=lambda home: not read_conflicts(home),
        concludes=False,
    )


def lying_case(scenario: Scenario) -> Case:
    """Return the case of a disk that did not keep the bytes of an intent although it was told to."""

    def between(found: Tree) -> Iterator[tuple[str, dict[str, bytes | None]]]:
        for path, content in found.items():
            if path.endswith(INTENT_ENDING) and content is not None:
                for text, data in _damages(content[0]):
                    yield f", {os.path.basename(path)} {text}", {path: data}

    return commit_case(scenario)._replace(
        name=f"a lying disk: {scenario.name}",
        between=between,
        judge=lambda home, _: _judge_lie(home, scenario),
        made=lambda _: True,
    )


def _damages(data: bytes) -> Iterator[tuple[str, bytes]]:
    for cut in (0, len(data) // 2, len(data) - 12, len(data) - 1):
        yield f"cut at {cut}", data[:cut]
    yield "all zeros", bytes(len(data))
    yield "half zeros", bytes(len(data) // 2) + data[len(data) // 2 :]
    yield "one bit flipped", data[:-4] + bytes([data[-4] ^ 1]) + data[-3:]


def all_cases() -> Iterator[Case]:
    """Yield every case of the proof."""
    yield from map(commit_case, SCENARIOS)
    yield first_write_case()
    yield second_write_case()
    yield from (recovery_case(scenario) for scenario in SCENARIOS if scenario.leaves_receipt)
    yield unsynced_recovery_case()
    yield from (edit_case(SCENARIOS[1], path) for path in SCENARIOS[1].after)
    yield park_case()
    yield from (settle_case(keep_prepared=keep) for keep in (True, False))
    yield lying_case(SCENARIOS[1])


def _made(home: Home, scenario: Scenario) -> bool | None:
    found = read_state(home, scenario.state(changed=True))
    if scenario.state(changed=True) == found:
        return True
    return False if scenario.state(changed=False) == found else None


def _missing_elsewhere(home: Home, scenario: Scenario) -> Iterator[str]:
    for folder in (*scenario.folders(), "else"):
        if home.read(os.path.join(folder, ELSEWHERE)) != b"elsewhere\n":
            yield f"recovery returned without its own change in {folder}"
    if not receipts_of(home, "the second change"):
        yield "recovery returned without the receipt of its own change"


def _judge(home: Home, scenario: Scenario, made: bool | None, old: Files) -> Iterator[str]:
    """Object to what `objections` does, and to an `old` file that has another mode now."""
    write_elsewhere(home, scenario)
    yield from objections(home, scenario, made=made)
    for path in old:
        if home.read(path) is not None and _mode(home, path) != MODE:
            yield f"{path} has mode {_mode(home, path):o}, not {MODE:o}"


def _mode(home: Home, path: str) -> int:
    return os.stat(home.place(path)).st_mode & 0o777


def _with_modes(home: Home, scenario: Scenario) -> Home:
    for path in scenario.before:
        os.chmod(home.place(path), MODE)
    return home


def _judge_edit(home: Home, scenario: Scenario, path: str) -> Iterator[str]:
    """Object to a lost edit, and to half a change that nobody could settle."""
    write_elsewhere(home, scenario)
    if home.read(path) != EDITED:
        yield "the edit is lost"
    rest = {one: data for one, data in read_state(home, scenario.after).items() if one != path}
    states = [{one: scenario.state(changed=made)[one] for one in rest} for made in (True, False)]
    conflicts = read_conflicts(home)
    if rest not in states and not conflicts:
        yield f"half a change, and nothing to settle: {rest}"
    if any(conflict.damaged for conflict in conflicts):
        yield "a damaged intent on an honest disk"
    if conflicts:
        _settle_all(home, keep_prepared=True)
        if read_state(home, scenario.after) != scenario.after:
            yield "settled, and still not what was prepared"
        if EDITED not in tree(home.root).values():
            yield "the edit is lost in the settlement"
    if left := leftovers(home):
        yield f"left behind: {left}"


def _judge_lie(home: Home, scenario: Scenario) -> Iterator[str]:
    """Object to bytes that nobody wrote, and to half a change that nobody is told of."""
    write_elsewhere(home, scenario)
    found = read_state(home, scenario.state(changed=True))
    whole = [scenario.state(changed=made) for made in (True, False)]
    for path, data in found.items():
        if data not in [state[path] for state in whole]:
            yield f"{path} has bytes that nobody wrote: {data!r}"
    if found not in whole and not any(one.damaged for one in read_conflicts(home)):
        yield "half a change, and nobody is told"
    if left := [path for path in leftovers(home) if not path.startswith(CONFLICTS)]:
        yield f"left behind: {left}"


def _settle_all(home: Home, *, keep_prepared: bool) -> None:
    """Do what `wuu reconcile files` does."""
    with hold(home, "reconcile files"):
        recover(home)
        for conflict in read_conflicts(home):
            settle(home, conflict.id, keep_prepared=keep_prepared)
