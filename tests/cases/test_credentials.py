"""Credentials never get in by accident, and harmless text is never refused: cases O-29 and O-30."""

from pathlib import Path

import pytest

from cases.conftest import Note
from cases.processes import at_terminal
from cases.trees import tree

# Put together here, so that no scanner takes this file for a leak.
GITHUB = "ghp" + "_" + "Zk3vQ9xT1mB7cR5wN2yL8dF4gH6jS0pA1eUo"
HEX = "9f86d081884c7d65" + "9a2feaa0c55ad015"
PHRASE = "corn-battery" + "-Staple-9417"
BASE64 = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"
PEM = ["-----BEGIN " + "PRIVATE KEY-----", BASE64, BASE64[::-1], "-----END " + "PRIVATE KEY-----"]

# A text for each step of the case, and the characters that must be nowhere afterwards.
LEAKS = {
    "snake": (f"Before.\nreset_token: {HEX}\nAfter.", HEX),
    "csrf": (f"Before. csrf_token={HEX} After.", HEX),
    "upper": (f"Before.\nDEVICE_TOKEN={HEX}\nAfter.", HEX),
    "passphrase": (f"Before: run sign --passphrase {PHRASE} file. After.", PHRASE),
    "api-key": (f"Before: run call --api-key {HEX} now. After.", HEX),
    "json": ('Before {"user": "ada", "password": "' + PHRASE + '"} After.', PHRASE),
    "provider": (f"Before {GITHUB} After.", GITHUB),
    "escaped pem": ("Before " + "\\n".join(PEM) + " After.", BASE64),
    "pem on a line": ("Before " + "".join(PEM) + " After.", BASE64),
    "numbered pem": (
        "Before.\n" + "".join(f"{at:6}\t{line}\n" for at, line in enumerate(PEM, 1)) + "After.",
        BASE64,
    ),
    "pem cut short": ("Before.\n" + "\n".join(PEM[:2]) + "\n", BASE64),
}

HARMLESS = (
    "Fixed in 4f2a91c.",
    "Fixed in 4f2a91c0e1d2b3a4958677685940312233445566.",
    "Run 123e4567-e89b-42d3-a456-426614174000 failed.",
    "Event 01ARZ3NDEKTSV4RRFFQ69G5FAV was dropped.",
    "image@sha256:" + "9f86d081" * 8,
    '"integrity": "sha512-' + "QwErTy12" * 10 + '=="',
    "Listens on 2001:db8:85a3::8a2e:370:7334 only.",
    "See move-this-task-before-you-rebase-anything-else.md",
    "See disk-usage-report-for-the-nightly-runner.md",
    "Remember to reset your password by Friday.",
    "Docs are at https://example.org/a/b?page=2#top",
    "NODE_ENV=production",
)


@pytest.fixture(params=LEAKS, ids=lambda name: name.replace(" ", "-"))
def leak(request: pytest.FixtureRequest) -> tuple[str, str]:
    return LEAKS[request.param]


def nowhere(secret: str, home: Path, *outputs: str) -> bool:
    stored = b"".join(tree(home).values())
    return secret not in "".join(outputs) and secret.encode() not in stored


@pytest.mark.parametrize("as_json", [(), ("--json",)], ids=["text", "json"])
@pytest.mark.parametrize("how", ["argument", "stdin", "append"])
def test_o29_a_credential_is_refused(
    note: Note, home: Path, leak: tuple[str, str], how: str, as_json: tuple[str, ...]
) -> None:
    text, secret = leak
    note("write", "old.md", "Old.", "--name", "Old")
    before = tree(home)
    done = {
        "argument": lambda: note("write", "a.md", text, "--name", "A", *as_json),
        "stdin": lambda: note("write", "a.md", "-", "--name", "A", *as_json, stdin=text),
        "append": lambda: note("edit", "old.md", "--append", text, *as_json),
    }[how]()
    assert done.exit_code == 5
    assert tree(home) == before
    assert nowhere(secret, home, done.stdout, done.stderr)
    if as_json:
        (error,) = done.json()["errors"]
        assert error["code"] == "secret_detected"
        assert error["details"]["count"] >= 1
    else:
        assert "--redact" in done.stderr


def test_o29_a_credential_is_redacted_and_the_text_around_it_kept(
    note: Note, home: Path, leak: tuple[str, str]
) -> None:
    text, secret = leak
    done = note("write", "a.md", text, "--name", "A", "--redact", "--json")
    assert done.exit_code == 0
    assert nowhere(secret, home, done.stdout, done.stderr)
    (warning,) = [one for one in done.json()["warnings"] if one["code"] == "redacted"]
    assert warning["details"]["count"] >= 1
    stored = (home / "memory" / "a.md").read_text()
    assert "[REDACTED:" in stored
    assert "Before" in stored
    assert ("After" in stored) == ("After" in text)


def test_o29_a_person_may_insist_and_an_agent_may_not(note: Note, home: Path) -> None:
    agent = note("write", "a.md", f"Key {GITHUB}.", "--allow-secret", "--json", env={"CLAUDECODE": "1"})
    assert agent.exit_code == 5
    assert agent.json()["errors"][0]["code"] == "approval_required"
    assert not (home / "memory").exists()
    person = note("write", "a.md", f"Key {GITHUB}.", "--allow-secret")
    assert person.exit_code == 0
    assert "github" in person.stderr
    assert GITHUB in (home / "memory" / "a.md").read_text()
    assert note("edit", "a.md", "--append", "More.").exit_code == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("write", "a.md", "Text.", "--name", f"Key {GITHUB}"),
        ("write", "a.md", "Text.", "--description", f"Key {GITHUB}"),
        ("write", "a.md", "Text.", "--type", GITHUB),
        ("write", "a.md", "Text.", "--source", f"mail: {GITHUB}"),
        ("write", f"{GITHUB}.md", "Text."),
        ("edit", "old.md", "--description", GITHUB),
        ("verify", "old.md", "--source", GITHUB),
        ("rename", "old.md", f"{GITHUB}.md"),
    ],
    ids=lambda arguments: " ".join(arguments).replace(GITHUB, "KEY"),
)
def test_o29_every_field_is_looked_at(note: Note, home: Path, arguments: tuple[str, ...]) -> None:
    note("write", "old.md", "Old.", "--name", "Old")
    before = tree(home)
    refused = note(*arguments, "--json")
    assert (refused.exit_code, refused.json()["errors"][0]["code"]) == (5, "secret_detected")
    assert tree(home) == before
    assert nowhere(GITHUB, home, refused.stdout, refused.stderr)


def test_o29_a_redacted_name_makes_a_file_name_without_the_key(note: Note, home: Path) -> None:
    done = note("write", "Text.", "--name", f"Key {GITHUB}", "--redact")
    assert done.exit_code == 0
    assert nowhere(GITHUB, home, done.stdout, done.stderr, *tree(home))


@pytest.mark.parametrize("as_json", [(), ("--json",)], ids=["text", "json"])
@pytest.mark.parametrize(
    "arguments",
    [
        ("read", f"{GITHUB}.md"),
        ("read", GITHUB),
        ("verify", "old.md", "--date", GITHUB),
        ("read", "--max-bytes", GITHUB, "old.md"),
        (GITHUB,),
        ("list", "--workspace", f"/nowhere/{GITHUB}", GITHUB),
    ],
    ids=lambda arguments: " ".join(arguments).replace(GITHUB, "KEY"),
)
def test_o29_no_failure_repeats_a_credential(
    note: Note, home: Path, arguments: tuple[str, ...], as_json: tuple[str, ...]
) -> None:
    failed = note(*arguments, *as_json)
    assert failed.exit_code in (2, 3)
    assert nowhere(GITHUB, home, failed.stdout, failed.stderr)


def test_o29_a_report_about_a_bug_holds_no_credential(
    note: Note, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError(f"what came in was {GITHUB}")

    monkeypatch.setattr("wuu.notebook.actions.list_topics", broken)
    failed = note("list", "--debug")
    assert failed.exit_code == 70
    assert list((home / "state" / "reports").iterdir())
    assert nowhere(GITHUB, home, failed.stdout, failed.stderr)


def test_o29_what_was_typed_in_an_editor_is_kept_outside_the_home(
    note_process: Note, home: Path, editor: Note
) -> None:
    writes = editor(f"place.write_text('Key {GITHUB}.')")
    refused = note_process("write", "a.md", "--name", "A", env=writes)
    assert refused.exit_code == 5
    assert nowhere(GITHUB, home, refused.stdout, refused.stderr)
    hint = next(line for line in refused.stderr.splitlines() if "Your text is in " in line)
    kept = Path(hint.split("Your text is in ")[1].split(". ")[0])
    assert GITHUB in kept.read_text()
    assert home not in kept.parents


def test_o29_an_editor_may_leave_a_credential_that_was_there(
    note_process: Note, home: Path, editor: Note
) -> None:
    note_process("write", "a.md", f"Key {GITHUB}.", "--allow-secret", "--name", "A")
    adds = "place.write_text(place.read_text() + {!r})"
    assert note_process("edit", "a.md", env=editor(adds.format("More.\n"))).exit_code == 0
    assert note_process("edit", "a.md", env=editor(adds.format(f"password: {PHRASE}\n"))).exit_code == 5
    redacted = note_process("edit", "a.md", "--redact", env=editor(adds.format(f"password: {PHRASE}\n")))
    assert redacted.exit_code == 0
    text = (home / "memory" / "a.md").read_text()
    assert GITHUB in text
    assert "More." in text
    assert PHRASE not in text


@pytest.mark.parametrize(
    ("typed", "exit_code", "stored"),
    [
        (b"r\n", 0, "[REDACTED:"),
        (b"k\n", 0, GITHUB),
        (b"c\n", 5, None),
        (b"\n", 5, None),
        (b"what\nkeep\n", 0, GITHUB),
        (b"\x04", 5, None),
    ],
)
def test_o29_at_a_terminal_a_person_is_asked(
    home: Path, typed: bytes, exit_code: int, stored: str | None
) -> None:
    shown = at_terminal(("notebook", "write", "a.md", f"Key {GITHUB}.", "--name", "A"), typed=typed)
    assert shown.exit_code == exit_code
    assert "[r]edact, [c]ancel or [k]eep" in shown.screen
    place = home / "memory" / "a.md"
    assert (place.read_text() if place.exists() else None) is None or stored in place.read_text()
    assert place.exists() == (stored is not None)


def test_o29_a_file_name_cannot_be_redacted(home: Path) -> None:
    shown = at_terminal(("notebook", "write", f"{GITHUB}.md", "Text."), typed=b"r\nc\n")
    assert shown.exit_code == 5
    assert "[r]edact" not in shown.screen
    assert not (home / "memory").exists()


@pytest.mark.parametrize("text", HARMLESS)
def test_o30_harmless_text_is_stored_as_it_is(note: Note, home: Path, text: str) -> None:
    done = note("write", "a.md", text, "--name", "A", "--description", text, "--json")
    assert done.exit_code == 0
    assert [one["code"] for one in done.json()["warnings"]] == []
    assert text in (home / "memory" / "a.md").read_text()
