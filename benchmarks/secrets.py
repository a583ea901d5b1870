"""What the rules for credentials find in the labelled set, beside detect-secrets, and what they cost.

Run by hand: `python benchmarks/secrets.py`. detect-secrets is compared where it can be imported; `--rival`
names another Python that has it. What the figures mean is in docs/explanation/secrets.md.
"""

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from measuring import REPOSITORY

sys.path.insert(0, os.path.join(REPOSITORY, "tests"))

from text.secret_lines import FIRST_WITH, FIRST_WITHOUT, HELD_WITH, HELD_WITHOUT, LATER_WITH, Labelled
from wuu.text.secrets import find_secrets

WITH, WITHOUT = FIRST_WITH + HELD_WITH + LATER_WITH, FIRST_WITHOUT + HELD_WITHOUT
NOTES, NOTE_CHARACTERS, BATCH, TRIES = 10_000, 2_000, 20, 7
FLOOR = 0.98
_SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "er", "ol")]
# What notes have besides words; each of these comes once in a while.
_SPICE = (
    "token",
    "password",
    "the key is",
    "**Rule:**",
    "`src/app.py`",
    "3f9c1ab",
    "v2.4.1",
    "https://a.example/b",
)
_RIVAL = """
import json, os, sys, tempfile, time
began = time.perf_counter()
from detect_secrets import SecretsCollection
from detect_secrets.settings import default_settings
took = time.perf_counter() - began
found = []
with default_settings(), tempfile.TemporaryDirectory() as folder:
    place = os.path.join(folder, "text.txt")
    for text in json.load(sys.stdin):
        with open(place, "w", encoding="utf-8") as file:
            file.write(text)
        collection = SecretsCollection()
        collection.scan_file(place)
        found.append(sorted({one.secret_value for _, one in collection if one.secret_value}))
print(json.dumps([took, "requests" in sys.modules, found]))
"""


class Tally(NamedTuple):
    """How many credentials were found, which were missed, and where something else was found."""

    right: int
    missed: tuple[str, ...]
    wrong: tuple[str, ...]
    noticed: int  # texts with a credential in which anything was found
    alarms: int  # texts without one in which anything was found

    @property
    def recall(self) -> float:
        """The share of the credentials that was found."""
        return self.right / (self.right + len(self.missed))

    @property
    def precision(self) -> float:
        """The share of what was found that is one."""
        return self.right / max(1, self.right + len(self.wrong))


def main() -> int:
    """Print the tables, and return 1 if precision or recall is too low."""
    parser = argparse.ArgumentParser(description="What the rules for credentials find, and what they cost.")
    parser.add_argument(
        "--rival", metavar="PYTHON", default=sys.executable, help="a Python with detect-secrets"
    )
    given = parser.parse_args()
    ours = _tally([[text[one.start : one.end] for one in find_secrets(text)] for text in _texts()])
    print(f"{sum(len(one.secrets) for one in WITH)} credentials in {len(WITH)} texts; {len(WITHOUT)} without")
    _print_tally("wuu", ours)
    _print_rival(given.rival)
    _print_times()
    return 0 if min(ours.recall, ours.precision) >= FLOOR else 1


def _texts() -> list[str]:
    return [one.text for one in WITH] + list(WITHOUT)


def _tally(answers: Sequence[Sequence[str]]) -> Tally:
    """Compare what was found in each text with its label; only the exact characters count."""
    right, missed, wrong = 0, [], []
    labels: list[Labelled] = [*WITH, *(Labelled(" ".join(text.split())[:50], text) for text in WITHOUT)]
    for label, found in zip(labels, answers, strict=True):
        right += sum(secret in found for secret in label.secrets)
        missed += [label.name for secret in label.secrets if secret not in found]
        wrong += [label.name for value in found if value not in label.secrets]
    noticed, alarms = sum(map(bool, answers[: len(WITH)])), sum(map(bool, answers[len(WITH) :]))
    return Tally(right, tuple(missed), tuple(wrong), noticed, alarms)


def _print_tally(who: str, tally: Tally) -> None:
    print(f"{who}: recall {tally.recall:.3f}, precision {tally.precision:.3f}")
    print(f"  found anything in {tally.noticed} of {len(WITH)} texts with a credential", end=", ")
    print(f"in {tally.alarms} of {len(WITHOUT)} without")
    print(f"  missed: {len(tally.missed)} {sorted(set(tally.missed))}")
    print(f"  wrongly found: {len(tally.wrong)} {sorted(set(tally.wrong))}")


def _print_rival(python: str) -> None:
    done = subprocess.run(
        [python, "-c", _RIVAL], input=json.dumps(_texts()), capture_output=True, text=True, check=False
    )
    if done.returncode:
        print("detect-secrets: not there; name a Python that has it with --rival")
        return
    took, with_requests, found = json.loads(done.stdout)
    _print_tally("detect-secrets", _tally(found))
    print(f"  import: {took * 1000:.0f} ms{', with requests' if with_requests else ''}")


def _print_times() -> None:
    notes = _make_notes()
    hashing = _seconds(lambda note: hashlib.sha256(note.encode()).digest(), notes)
    finding = _seconds(find_secrets, notes)
    print(f"{NOTES:,} notes of {NOTE_CHARACTERS:,} characters: {finding / NOTES * 1e6:.0f} µs each,", end=" ")
    print(f"{finding / hashing:.0f} × hashing them")


def _make_notes() -> list[str]:
    dice = random.Random(3)
    words = ["".join(dice.choices(_SYLLABLES, k=dice.randint(1, 4))) for _ in range(2_000)] + [*_SPICE] * 4
    return [_prose(dice, words)[:NOTE_CHARACTERS] for _ in range(NOTES)]


def _prose(dice: random.Random, words: Sequence[str]) -> str:
    return "# A note\n\n" + "\n".join(" ".join(dice.choices(words, k=14)) + "." for _ in range(35))


def _seconds(action: Callable[[str], object], notes: Sequence[str]) -> float:
    """Return what all notes take: for each batch the best of several tries, as machines are noisy."""
    total = 0.0
    for first in range(0, len(notes), BATCH):
        total += min(_seconds_once(action, notes[first : first + BATCH]) for _ in range(TRIES))
    return total


def _seconds_once(action: Callable[[str], object], notes: Sequence[str]) -> float:
    began = time.perf_counter()
    for note in notes:
        action(note)
    return time.perf_counter() - began


if __name__ == "__main__":
    sys.exit(main())
