"""What a person is asked when a credential is about to be kept, and the options that answer beforehand."""

import functools
from collections.abc import Callable
from typing import Any

import click

from wuu.cli.call import Call
from wuu.cli.output import Reply, ask
from wuu.errors import Declined, SecretDetected, UsageProblem
from wuu.situation.writing import WriteOptions

REDACT = click.option("--redact", is_flag=True, help="Store a mark in the place of a credential.")
ALLOW_SECRET = click.option("--allow-secret", is_flag=True, help="Keep a credential as it is.")

_ANSWERS = {"r": "redact", "redact": "redact", "k": "keep", "keep": "keep"}
_CANCEL = ("", "c", "cancel", "n", "no")


def secret_options(function: Callable[..., Reply]) -> Callable[..., Reply]:
    """Give a command --redact and --allow-secret; it gets them as one `secrets`."""

    @functools.wraps(function)
    def gathered(*args: object, redact: bool, allow_secret: bool, **others: object) -> Reply:
        if redact and allow_secret:
            raise UsageProblem("--redact and --allow-secret exclude each other.")
        secrets = "redact" if redact else "keep" if allow_secret else "refuse"
        return function(*args, secrets=secrets, **others)

    return REDACT(ALLOW_SECRET(gathered))


def with_answer(call: Call, options: WriteOptions, act: Callable[[WriteOptions], Any]) -> Any:
    """Do `act`; where it meets a credential and a person is there, ask, and do it as they say.

    Raises:
        SecretDetected: Nobody can be asked, or a person was not to be asked again.
        Declined: The person would rather not.
    """
    try:
        return act(options)
    except SecretDetected as error:
        if options.secrets != "refuse" or not call.can_ask or call.situation.caller.is_agent:
            raise
        return act(options._replace(secrets=_ask(error)))


def _ask(error: SecretDetected) -> str:
    redactable = error.details.get("redactable", False)
    choices = "[r]edact, [c]ancel or [k]eep" if redactable else "[c]ancel or [k]eep"
    while (answer := ask(f"{error.message} {choices}? [c]: ").strip().lower()) not in _CANCEL:
        chosen = _ANSWERS.get(answer)
        if chosen == "keep" or (chosen and redactable):
            return chosen
    raise Declined("Cancelled; nothing was written.")
