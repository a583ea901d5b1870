"""The places of every command: what it tells of memories in each state, and what it answers an agent.

Nothing but tables, and how they are read. `test_matrix` and `test_agent_shell` hold wuu to them and fail for
a command that has no place here (case O-25); `scripts/matrix.py` prints them as docs/reference/states.md.
"""

import shlex
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import click

NOTHING, COUNTED, TEXT, LABELLED, REQUEST = (
    "nothing",
    "counted",
    "text",
    "text and status",
    "text and status, on request",
)
"""What is told of a memory: it makes no difference at all; it is counted, without a word of its text; its
text is shown, which only that of saved ones can be without their status; it is shown with its status; the
same, but only if the call asks for such memories or for this one."""

PENDING, SAVED, ARCHIVED, REJECTED = STATES = ("pending", "saved", "archived", "rejected")

APPROVAL, WAITS, ALLOWED = "approval_required", "waits", "allowed"
"""What an agent gets: exit status 5 and nothing is written; exit status 0 and a proposal, while what is saved
stays as it is; it is done."""


class Reading(NamedTuple):
    """A command that reads memories: `call`, what that tells in each state, and the call that asks for one.

    In calls `{pending}`, `{saved}` and `{archived}` are ids; in `request` so is `{id}`, with its `{status}`.
    """

    call: str
    pending: str
    saved: str
    archived: str
    rejected: str = NOTHING
    request: str = ""


class Rule(NamedTuple):
    """A call that writes, and what an agent gets for it. `{foreign}` is a proposal that a person made."""

    call: str
    answer: str


READS_MEMORIES: dict[str, Reading] = {
    "memory list": Reading("memory list", LABELLED, LABELLED, LABELLED),
    "memory search": Reading(
        "memory search quokka", REQUEST, LABELLED, REQUEST, request="memory search quokka --status {status}"
    ),
    "memory show": Reading("memory show {saved}", REQUEST, LABELLED, REQUEST, request="memory show {id}"),
    "memory model": Reading("""memory model '{{"action": "list"}}'""", LABELLED, LABELLED, LABELLED),
    "memory status": Reading("memory status", COUNTED, COUNTED, COUNTED),
    "memory categories": Reading("memory categories", COUNTED, COUNTED, COUNTED),
    "memory context": Reading("memory context quokka", NOTHING, TEXT, NOTHING),
    "memory why": Reading("memory why the quokka", NOTHING, TEXT, NOTHING),
    "memory budget": Reading("memory budget", NOTHING, COUNTED, NOTHING),
    "memory browse": Reading("memory browse all", LABELLED, LABELLED, LABELLED),
    "memory workspaces list": Reading("memory workspaces list", COUNTED, COUNTED, COUNTED),
    "memory graph overview": Reading("memory graph overview", NOTHING, TEXT, NOTHING),
    "memory graph search": Reading("memory graph search quokka", NOTHING, TEXT, NOTHING),
    "memory graph validate": Reading("memory graph validate", NOTHING, COUNTED, NOTHING),
    "memory graph export": Reading("memory graph export", NOTHING, TEXT, NOTHING),
    "memory index status": Reading("memory index status", COUNTED, COUNTED, COUNTED),
    "check": Reading("check --json", COUNTED, COUNTED, COUNTED),
}
"""What commands that only read tell of the memories in the home, by command."""

READS_NONE: dict[str, str] = {
    "memory policy list": "memory policy list",
    "memory config list": "memory config list --origin",
    "memory config get": "memory config get memoryUse",
    "notebook list": "notebook list",
    "notebook read": "notebook read anchor.md",
    "notebook index": "notebook index",
    "notebook search": "notebook search quokka anchor",
    "notebook check": "notebook check",
    "notebook budget": "notebook budget",
    "notebook path": "notebook path",
}
"""Commands that have nothing to do with memories, each with a call."""

WRITES: tuple[Rule, ...] = (
    Rule("remember 'The mast is oak.'", WAITS),
    Rule("remember --user 'The mast is oak.'", WAITS),
    Rule("remember --pin 'The mast is oak.'", APPROVAL),
    Rule("memory add 'The mast is oak.'", WAITS),
    Rule("memory add 'The mast is oak.' --category stack --tag wood", WAITS),
    Rule("memory add 'The mast is oak.' --pin", APPROVAL),
    Rule("memory add 'The mast is oak.' --session-scope", APPROVAL),
    Rule("memory add 'The mast is oak.' --session-scope --session s1", APPROVAL),
    Rule("memory add 'The key is {secret}.' --allow-secret", APPROVAL),
    Rule("memory propose 'The mast is oak.'", WAITS),
    Rule("memory propose 'The mast is oak.' --user", WAITS),
    Rule("memory propose 'The mast is oak.' --pin", APPROVAL),
    Rule("memory propose 'The mast is oak.' --session-scope --session s1", APPROVAL),
    Rule("memory propose 'The key is {secret}.' --allow-secret", APPROVAL),
    Rule("memory propose --update {saved} 'The mast is oak.'", WAITS),
    Rule("memory propose --update {pinned} --tag wood", WAITS),
    Rule("memory propose --archive {saved}", WAITS),
    Rule("memory edit {saved} --text 'The mast is oak.'", WAITS),
    Rule("memory edit {saved} --add-tag wood --category stack", WAITS),
    Rule("memory edit {saved} --scope user", WAITS),
    Rule("memory edit {saved} --pin", APPROVAL),
    Rule("memory edit {pinned} --no-pin", APPROVAL),
    Rule("memory edit {saved} --scope session --session s1", APPROVAL),
    Rule("memory edit {archived} --text 'The mast is oak.'", APPROVAL),
    Rule("memory edit {foreign} --text 'The mast is oak.'", APPROVAL),
    Rule("memory edit {pending} --text 'The mast is oak.'", ALLOWED),
    Rule("memory edit {pending} --pin", APPROVAL),
    Rule("memory edit {pending} --scope user", APPROVAL),
    Rule("memory approve {pending}", APPROVAL),
    Rule("memory approve {foreign} --pin --to user", APPROVAL),
    Rule("memory approve --all", APPROVAL),
    Rule("memory approve --all --yes", APPROVAL),
    Rule("memory reject {pending}", APPROVAL),
    Rule("memory reject {foreign} --reason no", APPROVAL),
    Rule("memory reject --all --yes", APPROVAL),
    Rule("memory review", APPROVAL),
    Rule("memory delete {saved} --yes", WAITS),
    Rule("memory delete {pinned} --yes", WAITS),
    Rule("memory delete {archived} --yes", APPROVAL),
    Rule("memory delete {foreign} --yes", APPROVAL),
    Rule("memory delete {pending} --yes", ALLOWED),
    Rule("memory archive {saved}", WAITS),
    Rule("memory archive {foreign}", APPROVAL),
    Rule("memory archive {pending}", APPROVAL),
    Rule("memory archive {archived}", APPROVAL),
    Rule("memory restore {archived}", APPROVAL),
    Rule("memory restore {archived} --to pending", APPROVAL),
    Rule("memory restore {saved} --to pending", APPROVAL),
    Rule("memory pin {saved}", APPROVAL),
    Rule("memory unpin {pinned}", APPROVAL),
    Rule("memory undo --yes", APPROVAL),
    Rule("memory graph link {saved} {pinned}", APPROVAL),
    Rule("memory graph unlink {saved} {pinned}", APPROVAL),
    Rule("memory graph upsert 'The mast is oak.'", WAITS),
    Rule("memory graph upsert --id {saved} 'The mast is oak.'", WAITS),
    Rule("memory graph upsert --id {saved} --link {pinned}:conflicts", APPROVAL),
    Rule("memory workspaces relink", APPROVAL),
    Rule("memory workspaces relink --yes", APPROVAL),
    Rule("memory workspaces relink --new", APPROVAL),
    Rule("memory policy set stack auto", APPROVAL),
    Rule("memory policy set other never", APPROVAL),
    Rule("memory policy reset stack", APPROVAL),
    Rule("memory config set memoryRequireApproval false", APPROVAL),
    Rule("memory config set memoryUse true --project", APPROVAL),
    Rule("memory config unset memoryEnabled", APPROVAL),
    Rule("memory index rebuild", ALLOWED),
    Rule("""memory model '{{"action": "add", "text": "The mast is oak."}}'""", WAITS),
    Rule("""memory model '{{"action": "add", "text": "The mast is oak.", "scope": "global"}}'""", WAITS),
    Rule("""memory model '{{"action": "add", "text": "The mast is oak.", "pinned": true}}'""", APPROVAL),
    Rule("""memory model '{{"action": "add", "text": "The mast is oak.", "scope": "session"}}'""", APPROVAL),
    Rule("""memory model '{{"action": "propose", "text": "The mast is oak."}}'""", WAITS),
    Rule("""memory model '{{"action": "update", "id": "{saved}", "text": "The mast is oak."}}'""", WAITS),
    Rule("""memory model '{{"action": "update", "id": "{saved}", "scope": "user"}}'""", WAITS),
    Rule("""memory model '{{"action": "update", "id": "{saved}", "pinned": true}}'""", APPROVAL),
    Rule("""memory model '{{"action": "update", "id": "{foreign}", "text": "It is oak."}}'""", APPROVAL),
    Rule("""memory model '{{"action": "update", "id": "{pending}", "text": "It is oak."}}'""", ALLOWED),
    Rule("""memory model '{{"action": "delete", "id": "{saved}"}}'""", WAITS),
    Rule("""memory model '{{"action": "delete", "id": "{archived}"}}'""", APPROVAL),
    Rule("""memory model '{{"action": "delete", "id": "{pending}"}}'""", ALLOWED),
    Rule("notebook write kestrel.md 'The kestrel nests.' --name Kestrel", ALLOWED),
    Rule("notebook edit anchor.md --append More.", ALLOWED),
    Rule("notebook verify anchor.md", ALLOWED),
    Rule("notebook rename anchor.md rope.md", ALLOWED),
    Rule("notebook forget anchor.md --yes", ALLOWED),
    Rule("notebook repair --apply", ALLOWED),
    Rule("reconcile files --keep-disk", APPROVAL),
    Rule("reconcile files --keep-prepared", APPROVAL),
)
"""Calls of every command that writes, and what an agent gets for each."""


def leaves(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    """Yield every command below `command` that is no group, by what is typed to reach it, hidden ones too."""
    if not isinstance(command, click.Group):
        yield " ".join(path), command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        child = command.get_command(context, name)
        if child is not None:
            yield from leaves(child, (*path, name))


def command_of(call: str, known: Iterable[str]) -> str:
    """Return the one of the `known` commands that a call begins with, or the call if there is none."""
    return max((one for one in known if f"{call} ".startswith(f"{one} ")), key=len, default=call)


def arguments(call: str, values: Mapping[str, str]) -> list[str]:
    """Return the arguments of a call with `values` in their places."""
    return [word.format_map(values) for word in shlex.split(call)]
