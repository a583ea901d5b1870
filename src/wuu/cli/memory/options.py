"""The options that several commands of `wuu memory` share, gathered into values."""

import functools
from collections.abc import Callable

import click

from wuu import clock
from wuu.cli.call import Call
from wuu.cli.output import Reply
from wuu.errors import UsageProblem
from wuu.memory.values import Filters

# Restated: a group shows its help without loading the room. A test holds them to the room's own.
USER, PROJECT, _ = SCOPES = ("user", "project", "session")
STATUSES = ("pending", "saved", "archived")
SENSITIVITIES = ("low", "medium", "high")
PROPOSERS = ("user", "agent", "dream", "extraction", "evolution", "import", "assistant")

CATEGORY = click.option("--category", metavar="C", help="The category; wuu memory categories lists them.")
CATEGORIES = click.option(
    "--categories", multiple=True, metavar="C,…", help="Further categories; repeatable, or with commas."
)
SENSITIVITY = click.option("--sensitivity", type=click.Choice(SENSITIVITIES), help="How private it is.")
VERIFIED = click.option("--verified", metavar="DATE", help="When it was last checked: YYYY-MM-DD, or today.")
REVISION = click.option("--revision", metavar="R", help="Refuse if the memory is not at this revision.")
STALE = click.option("--stale", is_flag=True, help="Only proposals that can no longer be applied, and why.")

_SCOPE_FLAGS = (
    click.option("--user", is_flag=True, help="It holds for you everywhere."),
    click.option("--project", is_flag=True, help="It holds in this project.  [default]"),
    click.option("--session-scope", is_flag=True, help="It holds in this session only."),
)
_FILTERS = (
    click.option("--text", metavar="WORDS", help="Only those whose text has WORDS in it, in any case."),
    click.option("--category", metavar="C", help="Only those of this category."),
    click.option("--tag", metavar="T", help="Only those with this tag."),
    click.option("--scope", type=click.Choice(SCOPES), help="Only those of this scope."),
    click.option("--status", type=click.Choice((*STATUSES, "all")), help="Only those of this status."),
    click.option("--pinned/--not-pinned", default=None, help="Only those that are pinned, or are not."),
    click.option("--proposer", type=click.Choice(PROPOSERS), help="Only those that this one proposed."),
    click.option("--older-than", type=click.IntRange(min=0), metavar="DAYS", help="Only those made before."),
    click.option("--newer-than", type=click.IntRange(min=0), metavar="DAYS", help="Only those made since."),
)


def scope_options(function: Callable[..., Reply]) -> Callable[..., Reply]:
    """Give a command --user, --project and --session-scope; it gets them as one `scope`."""

    @functools.wraps(function)
    def gathered(*args: object, user: bool, project: bool, session_scope: bool, **others: object) -> Reply:
        named = [
            scope for scope, is_given in zip(SCOPES, (user, project, session_scope), strict=True) if is_given
        ]
        if len(named) > 1:
            raise UsageProblem("--user, --project and --session-scope exclude each other.")
        return function(*args, scope=named[0] if named else PROJECT, **others)

    for option in reversed(_SCOPE_FLAGS):
        gathered = option(gathered)
    return gathered


def filter_options(function: Callable[..., Reply]) -> Callable[..., Reply]:
    """Give a command the options that say which memories; it gets them as one `filters`, without a limit."""

    @functools.wraps(function)
    def gathered(
        call: Call,
        *args: object,
        text: str | None,
        category: str | None,
        tag: str | None,
        scope: str | None,
        status: str | None,
        pinned: bool | None,
        proposer: str | None,
        older_than: int | None,
        newer_than: int | None,
        **others: object,
    ) -> Reply:
        # That somebody is in a session is not asking for its memories; --session is, by name or as `all`.
        session = call.given.get("session")
        filters = Filters(
            text, category, tag, scope, status, pinned, proposer, older_than, newer_than, session
        )
        return function(call, *args, filters=filters, **others)

    for option in reversed(_FILTERS):
        gathered = option(gathered)
    return gathered


def date_of(verified: str | None) -> str | None:
    """Return the date that an option means: `today` is the person's own."""
    return clock.today() if verified == "today" else verified


def names_of(given: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names in options that may hold several with commas; an empty one is none."""
    return tuple(name for one in given for piece in one.split(",") if (name := piece.strip()))
