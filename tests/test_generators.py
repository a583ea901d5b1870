"""The generators write the right pages from a small command tree that is not wuu's."""

import shutil
import subprocess
from pathlib import Path

import click
import pytest

from command_tree import OptionText, Paragraph, read_tree
from completions import render_completions
from generate import find_stale, render_all, write_stale
from man_page import render_pages
from reference import render_commands, render_exit_statuses
from surroundings import STATUSES, ErrorText, read_errors


def _tree() -> click.Group:
    home = click.Option(["--home"], metavar="DIR", envvar="TOOL_HOME", help="Where it lives.")
    quiet = click.Option(["-q", "--quiet"], is_flag=True, help="Say less.")
    write = click.Command(
        "write",
        help="""Write a page.

        A page that exists stays
        as it is, but for `--replace`.

        \b
        a table
          of two lines

        \f
        not for readers""",
        params=[
            click.Argument(["file"]),
            click.Argument(["body"], required=False, nargs=-1),
            click.Option(["--type"], type=click.Choice(["user", "lesson"]), required=True, help="The type."),
            click.Option(["--source"], multiple=True, metavar="REF", help="Where from: a|b."),
            click.Option(["--replace"], is_flag=True, help=".dotted help"),
            click.Option(["--wrap/--no-wrap"], help="Wrap."),
            click.Option(["--secret"], hidden=True),
            home,
            quiet,
        ],
    )
    write.examples = ("tool page write a.md 'it\\n'", "tool page write -")
    hidden = click.Command("internal", hidden=True, help="Nobody sees this.")
    page = click.Group("page", help="Keep pages.", commands=[write, hidden], params=[home, quiet])
    return click.Group("tool", help="Do things.", params=[home, quiet], commands=[page])


def test_the_tree_is_read_without_click_s_layout() -> None:
    tree = read_tree(_tree(), "tool")
    assert [command.name for command in tree.walk()] == ["tool", "tool page", "tool page write"]
    write = tree.commands[0].commands[0]
    assert write.summary == "Write a page."
    assert write.paragraphs == (
        Paragraph("A page that exists stays as it is, but for `--replace`.", bare=False),
        Paragraph("a table\n  of two lines", bare=True),
    )
    assert write.examples == (r"tool page write a.md 'it\n'", "tool page write -")
    assert [argument.usage for argument in write.arguments] == ["FILE", "[BODY]…"]
    assert write.usage == "tool page write --type user|lesson [OPTIONS] FILE [BODY]…"


def test_shared_options_are_told_once() -> None:
    tree = read_tree(_tree(), "tool")
    assert tree.options[:-1] == (
        OptionText(
            ("--home",), "DIR", "Where it lives.", required=False, repeatable=False, variable="TOOL_HOME"
        ),
        OptionText(("-q", "--quiet"), "", "Say less.", required=False, repeatable=False, variable=None),
    )
    assert tree.options[-1].flags == ("--help",)
    write = tree.commands[0].commands[0]
    assert [option.flags for option in write.options] == [
        ("--type",),
        ("--source",),
        ("--replace",),
        ("--wrap", "--no-wrap"),
    ]


def test_the_reference_of_commands() -> None:
    page = render_commands(read_tree(_tree(), "tool"))
    assert "\n## tool\n" in page
    assert "\n#### tool page write\n" in page
    assert "| `--source` `REF` | Where from: a\\|b. May be repeated. |" in page
    assert "| `--type` `user\\|lesson` | The type. Required. |" in page
    assert "| `--home` `DIR` | Where it lives. Environment: `TOOL_HOME`. |" in page
    assert "```text\na table\n  of two lines\n```" in page
    assert "```sh\ntool page write a.md 'it\\n'\ntool page write -\n```" in page
    assert "(#tool-page-write)" in page
    assert "internal" not in page
    assert "secret" not in page


def test_the_manual_pages() -> None:
    pages = render_pages(read_tree(_tree(), "tool"), "1.2")
    assert sorted(pages) == ["tool-page.1", "tool.1"]
    page = pages["tool-page.1"]
    sections = [line for line in page.splitlines() if line.startswith(".SH ")]
    assert sections == [
        *(".SH NAME", ".SH SYNOPSIS", ".SH DESCRIPTION", ".SH COMMANDS", ".SH OPTIONS", ".SH EXAMPLES"),
        *(".SH EXIT STATUS", ".SH ENVIRONMENT", ".SH FILES", ".SH SEE ALSO"),
    ]
    assert '.TH TOOL-PAGE 1 "" "tool 1.2" "tool manual"' in page
    assert r"tool\-page \- Keep pages" in page
    assert r"tool page write a.md \(aqit\en\(aq" in page
    assert r"\fB\-\-type\fR \fIuser|lesson\fR" in page
    assert "\n\\&.dotted help\n" in page
    assert r"but for \fB\-\-replace\fR." in page


@pytest.mark.skipif(not shutil.which("groff"), reason="groff is not installed")
def test_groff_has_nothing_to_say_about_a_page(tmp_path: Path) -> None:
    for name, text in render_pages(read_tree(_tree(), "tool"), "1.2").items():
        file = tmp_path / name
        file.write_text(text)
        told = subprocess.run(
            ["groff", "-man", "-ww", "-z", "-Kutf8", "-Tutf8", str(file)],
            capture_output=True,
            text=True,
            check=True,
        )
        assert told.stderr == ""


def test_exit_statuses_are_those_of_the_classes() -> None:
    page = render_exit_statuses(
        [ErrorText("not_found", 3, "Not there."), ErrorText("odd", 3, "a|b"), ErrorText("locked", 6, "Wait.")]
    )
    assert f"| 3 | {STATUSES[3]} | `not_found`, `odd` |" in page
    assert "| `odd` | 3 | a\\|b |" in page


def test_every_error_has_a_status_that_is_explained() -> None:
    errors = read_errors()
    assert {error.exit_status for error in errors} <= set(STATUSES)
    assert all(error.meaning for error in errors)
    assert len({error.code for error in errors}) == len(errors)


def test_completions_are_named_as_the_shells_look_for_them() -> None:
    scripts = render_completions("tool")
    assert sorted(scripts) == ["_tool", "tool.bash", "tool.fish"]
    assert scripts["_tool"].startswith("#compdef tool\n")
    assert not [text for text in scripts.values() if "@" in text.replace("(@f)", "").replace('"$@"', "")]
    assert all("_TOOL_COMPLETE=" in text for text in scripts.values())


def test_pages_do_not_depend_on_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    narrow = render_all(_tree(), "1.2")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("LC_ALL", "C")
    assert render_all(_tree(), "1.2") == narrow


def test_stale_files_are_named_written_and_removed(tmp_path: Path) -> None:
    files = render_all(_tree(), "1.2")
    assert find_stale(files, tmp_path) == sorted(files)
    assert write_stale(files, tmp_path) == sorted(files)
    assert find_stale(files, tmp_path) == []
    (tmp_path / "man" / "tool-gone.1").write_text("old")
    (tmp_path / "completions" / "_wuu").write_bytes(b"changed\r\n")
    assert write_stale(files, tmp_path) == ["completions/_wuu", "man/tool-gone.1"]
    assert find_stale(files, tmp_path) == []
    assert not (tmp_path / "man" / "tool-gone.1").exists()
