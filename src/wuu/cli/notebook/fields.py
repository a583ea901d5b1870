"""The options that set a topic's frontmatter, gathered into one value."""

import functools
from collections.abc import Callable

import click

from wuu.cli.output import Reply
from wuu.notebook import actions
from wuu.notebook.values import Fields

NAME = click.option("--name", metavar="TEXT", help="The title.")
DESCRIPTION = click.option(
    "--description", metavar="TEXT", help="One line that says when this is worth reading."
)
TYPE = click.option("--type", "topic_type", metavar="TYPE", help="user, feedback, reference or lesson.")
VERIFIED = click.option("--verified", metavar="DATE", help="When it was last checked: YYYY-MM-DD, or today.")
SOURCE = click.option(
    "--source", "sources", multiple=True, metavar="REF", help="Where it comes from; repeatable."
)


def field_options(function: Callable[..., Reply]) -> Callable[..., Reply]:
    """Give a command the options of a topic's fields; it gets them as one `fields`."""

    @functools.wraps(function)
    def gathered(
        *args: object,
        name: str | None,
        description: str | None,
        topic_type: str | None,
        verified: str | None,
        sources: tuple[str, ...],
        **others: object,
    ) -> Reply:
        fields = Fields(name, description, topic_type, date_of(verified), sources)
        return function(*args, fields=fields, **others)

    for option in (SOURCE, VERIFIED, TYPE, DESCRIPTION, NAME):
        gathered = option(gathered)
    return gathered


def date_of(verified: str | None) -> str | None:
    """Return the date that an option means: `today` is the person's own."""
    return actions.today() if verified == "today" else verified
