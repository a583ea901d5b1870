"""One call of the program: its shared options, where it stands, and whether anybody can be asked.

Shared options may stand before or after the subcommand; the one nearer to the end wins.
"""

import os
import sys
from functools import cached_property
from typing import TYPE_CHECKING, Any

import click

from wuu.errors import ConfirmationRequired, Declined, UsageProblem

if TYPE_CHECKING:
    from wuu.situation.situation import Situation
    from wuu.situation.writing import WriteOptions


class Call:
    """What the shared options say, and the situation that follows from them, worked out when first needed."""

    def __init__(self) -> None:
        self.given: dict[str, Any] = {}
        self.command: list[str] = []

    @property
    def json(self) -> bool:
        """Whether exactly one JSON document goes to stdout."""
        return bool(self.given.get("json"))

    @property
    def quiet(self) -> bool:
        """Whether notices and warnings are left out of the text for people."""
        return bool(self.given.get("quiet"))

    @property
    def debug(self) -> bool:
        """Whether a failure shows where it happened."""
        return bool(self.given.get("debug"))

    @property
    def no_input(self) -> bool:
        """Whether nobody may be asked, be it because the caller said so or because nobody is there."""
        return self.json or bool(self.given.get("no_input"))

    @property
    def can_ask(self) -> bool:
        """Whether a person sits at a terminal: what comes through a pipe is never taken for an answer."""
        return not self.no_input and sys.stdin.isatty() and sys.stderr.isatty()

    @cached_property
    def situation(self) -> "Situation":
        """Who calls, from where, with which home."""
        from wuu.situation.situation import resolve_situation  # noqa: PLC0415  (--version and --help need none)

        return resolve_situation(
            home=self.given.get("home"),
            workspace=self.given.get("workspace"),
            profile=self.given.get("profile"),
            session=self.given.get("session"),
            read_only=bool(self.given.get("read_only")),
            no_input=self.no_input,
            as_agent=self.given.get("as_caller") == "agent",
            environ=os.environ,
            cwd=_current_folder(),
        )

    def write_options(self, dry_run: bool, request_id: str | None, secrets: str = "refuse") -> "WriteOptions":
        """Return how to write; a slow lock is told on stderr, and from here on SIGTERM cleans up."""
        from wuu.cli.interruption import end_on_sigterm  # noqa: PLC0415  (only writers)
        from wuu.cli.output import tell  # noqa: PLC0415  (output imports this module)
        from wuu.situation.writing import WriteOptions  # noqa: PLC0415  (only writers)

        if request_id is not None and not request_id.strip():
            raise UsageProblem("--request-id is empty.", hint="Give any text that is new for each request.")
        end_on_sigterm()
        waiting = None if self.quiet or self.json else tell
        return WriteOptions(dry_run, request_id, waiting, secrets)

    def confirm(self, question: str, *, yes: bool) -> None:
        """Ask a person, on stderr, unless `yes` was given.

        Raises:
            ConfirmationRequired: Nobody can be asked; the message names the flag.
            Declined: The answer was no.
        """
        if yes:
            return
        if not self.can_ask:
            raise ConfirmationRequired(
                f"{question} Nobody is there to answer.", hint="Add --yes to go on without asking."
            )
        if not _agrees(question):
            raise Declined("Declined; nothing was changed.")


def _agrees(question: str) -> bool:
    """Ask on stderr until the answer is yes or no; nothing, and the end of the input, are no."""
    from wuu.cli.output import ask  # noqa: PLC0415  (output imports this module)

    while (answer := ask(f"{question} [y/N]: ").strip().lower()) not in ("", "n", "no"):
        if answer in ("y", "yes"):
            return True
    return False


def _current_folder() -> str:
    """Return the current folder; one that was removed under us belongs to no project."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        return os.sep


pass_call = click.make_pass_decorator(Call)
