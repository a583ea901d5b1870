"""The card: an agent wants something remembered, and a person at the terminal says whether it is.

Owns what is shown and what is answered; nothing is written here.
"""

from typing import NamedTuple

from wuu.cli.call import Call
from wuu.cli.drafts import ask_editor
from wuu.cli.folding import BOLD, DIM, Line, body_lines, labelled, plain_lines
from wuu.cli.output import screen_width, show
from wuu.errors import Declined, Refused, UsageProblem
from wuu.text.safety import find_unsafe_lines

SAVE, SAVE_AND_DO_NOT_ASK, EDIT, REJECT = "save", "save_and_do_not_ask", "edit", "reject"

_CHOICES = (
    ("s", SAVE, "Save"),
    ("d", SAVE_AND_DO_NOT_ASK, "Save and don't ask for memory again"),
    ("e", EDIT, "Edit text"),
    ("r", REJECT, "Reject"),
)
_QUESTION = "s, d, e or r: "
_BY_KEY = {key: choice for key, choice, _ in _CHOICES}


class CardAnswer(NamedTuple):
    """What a person answered: `save`, `save_and_do_not_ask`, `edit` or `reject`; the text as it is now."""

    choice: str
    text: str


def ask_card(call: Call, entry_text: str, scope: str, category: str, reason: str) -> CardAnswer:
    """Show the card for `entry_text` and return the answer; editing returns what the editor left.

    `reason` is a further line, or empty. Only where `call.can_ask`.

    Raises:
        Declined: The input ended, or they pressed q: nothing is decided.
        KeyboardInterrupt: It was Ctrl-C.
    """
    from wuu.cli.keys import read_key  # noqa: PLC0415  (most calls ask nothing)

    show(render_card(entry_text, scope, category, reason, screen_width()))
    while True:
        key = read_key(_QUESTION)
        show([Line(key if key.isprintable() else "")])
        if key == "q":
            raise Declined("Not decided; nothing was saved.")
        choice = _BY_KEY.get(key)
        if choice is None:
            show(plain_lines(f"There is no key {key!r} here.", screen_width()))
        elif choice != EDIT:
            return CardAnswer(choice, entry_text)
        elif (text := _find_edited(call, entry_text)) is not None:
            return CardAnswer(EDIT, text)


def render_card(text: str, scope: str, category: str, reason: str, width: int) -> list[Line]:
    """Return the card, at most `width` cells wide (20 or more)."""
    unsafe = find_unsafe_lines(text)
    lines = [Line(""), Line("Save to memory?", BOLD), Line(""), *body_lines(text, width, unsafe), Line("")]
    if unsafe:
        lines += plain_lines("Lines with ! are unsafe: no agent will get them.", width, BOLD)
    lines += plain_lines(f"[{scope}] [{category}]", width, DIM)
    if reason:
        lines += plain_lines(reason, width, DIM)
    choices = [Line(one) for key, _, words in _CHOICES for one in labelled(key, words, width, 3)]
    return [*lines, Line(""), *choices]


def _find_edited(call: Call, text: str) -> str | None:
    """Return the text from the editor, or None, and say so, if there is none to take."""
    try:
        return ask_editor(call, text, "memory.md", instead="another answer")
    except (UsageProblem, Refused) as error:
        told = f"{error.message} {error.hint or ''}".rstrip()
        show(plain_lines(told, screen_width()))
        return None
