"""`wuu memory config`: the settings, with where each comes from."""

import json
from typing import Any

import click

from wuu.cli.call import Call, pass_call
from wuu.cli.commands import Lazy, LazyGroup, command, writing_command
from wuu.cli.output import Reply, Rows
from wuu.errors import NotFound
from wuu.situation.settings import BY_NAME, PROJECTS, Setting, Settings
from wuu.situation.settings_writing import SettingChange, change_setting, get_setting
from wuu.situation.writing import Written

_HERE = "wuu.cli.memory.config:"
COMMANDS = {
    "list": Lazy(_HERE + "list_command", "Every setting with its value."),
    "get": Lazy(_HERE + "get_command", "The value of one setting."),
    "set": Lazy(_HERE + "set_command", "Give a setting a value."),
    "unset": Lazy(_HERE + "unset_command", "Take a value away; the default holds again."),
}
_YES = {"on": True, "yes": True, "off": False, "no": False}

PROJECT = click.option(
    "--project", is_flag=True, help="For this project only; it wins over the general value."
)
NAME = click.argument("name")


@click.group(
    cls=LazyGroup,
    lazy=COMMANDS,
    name="config",
    examples=("wuu memory config list --origin", "wuu memory config set memoryUse true --project"),
)
def group() -> None:
    """The settings in settings.json, for all projects or for this one."""


@command(name="list", examples=("wuu memory config list --origin", "wuu memory config list --project --json"))
@click.option("--origin", is_flag=True, help="Say where each value comes from.")
@click.option("--project", is_flag=True, help="Only what is set for this project.")
@pass_call
def list_command(call: Call, origin: bool, project: bool) -> Reply:
    """List every setting as it holds for this project, or with --project what is set for it alone."""
    settings = call.situation.settings
    if project:
        call.situation.get_workspace()
    named = [one for one in BY_NAME.values() if one.name != PROJECTS]
    named = [one for one in named if not project or _is_override(settings, one.name)]
    rows = [
        (one.name, render_value(settings.values[one.name]), *([settings.origin(one.name)] if origin else []))
        for one in named
    ]
    data = {"settings": [_value(settings, one) for one in named], "path": settings.path}
    notice = "" if rows else "Nothing is set for this project: wuu memory config set NAME VALUE --project"
    columns = ("NAME", "VALUE", *(["ORIGIN"] if origin else []))
    return Reply(data, Rows(columns, rows), notice, settings.caveats)


@command(name="get", examples=("wuu memory config get memoryUse",))
@NAME
@click.option("--origin", is_flag=True, help="Say where the value comes from.")
@click.option("--project", is_flag=True, help="Only if it is set for this project.")
@pass_call
def get_command(call: Call, name: str, origin: bool, project: bool) -> Reply:
    """Print the value of the setting NAME as it holds for this project.

    With --project the exit status is 3 if it is not set for this project.
    """
    setting, settings = get_setting(name), call.situation.settings
    if project:
        root = call.situation.get_workspace().root
        if not _is_override(settings, name):
            raise NotFound(f"{name} is not set for {root}.", name=name, project=root)
    value = render_value(settings.values[name])
    text = f"{value}\t{settings.origin(name)}\n" if origin else f"{value}\n"
    return Reply(_value(settings, setting), text, caveats=settings.caveats)


@writing_command(
    name="set",
    examples=("wuu memory config set memoryUse true", "wuu memory config set memoryMaxEntries 20 --project"),
)
@NAME
@click.argument("value")
@PROJECT
@pass_call
def set_command(
    call: Call, name: str, value: str, project: bool, dry_run: bool, request_id: str | None
) -> Reply:
    """Give the setting NAME a VALUE: true or false, a number, a word, or JSON.

    The rest of settings.json stays as it is written. Only a person changes settings.
    """
    options = call.write_options(dry_run, request_id)
    parsed = parse_value(get_setting(name), value)
    return _reply_of(call, name, change_setting(call.situation, name, parsed, options, project=project))


@writing_command(
    name="unset",
    examples=("wuu memory config unset memoryUse", "wuu memory config unset memoryUse --project"),
)
@NAME
@PROJECT
@pass_call
def unset_command(call: Call, name: str, project: bool, dry_run: bool, request_id: str | None) -> Reply:
    """Take away the value of the setting NAME; what holds without it holds again."""
    options = call.write_options(dry_run, request_id)
    done = change_setting(call.situation, name, None, options, project=project, unset=True)
    return _reply_of(call, name, done)


def parse_value(setting: Setting, text: str) -> Any:
    """Return what a person typed as a value; `settings.value_problem` says whether it fits."""
    if setting.kind in ("choice", "time"):
        return text
    if setting.kind == "flag" and text.lower() in _YES:
        return _YES[text.lower()]
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def render_value(value: Any) -> str:
    """Return a value as a person would type it; nothing for one that is not set."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


def _value(settings: Settings, setting: Setting) -> dict[str, Any]:
    return {
        "name": setting.name,
        "value": settings.values[setting.name],
        "origin": settings.origin(setting.name),
        "default": setting.default,
        "meaning": setting.meaning,
    }


def _is_override(settings: Settings, name: str) -> bool:
    return PROJECTS in settings.origin(name)


def _reply_of(call: Call, name: str, done: Written[SettingChange]) -> Reply:
    change = done.outcome
    data: dict[str, Any] = {
        "name": name,
        "value": change.value if change else None,
        "origin": change.origin if change else None,
        "notice": _notice(done, name),
        "dry_run": done.dry_run,
        "replayed": done.replayed,
    }
    caveats = (*done.caveats, *(change.caveats if change else ()))
    if done.dry_run:
        from wuu.cli.difference import render_difference  # noqa: PLC0415  (only dry runs show one)

        data["diff"] = render_difference(call.situation.home, done.changes)
        return Reply(data, data["diff"], data["notice"], caveats)
    return Reply(data, "" if call.quiet else f"{data['notice']}\n", "", caveats, done.receipt)


def _notice(done: Written[SettingChange], name: str) -> str:
    change = done.outcome
    if change is None:
        return f"Done before · {name}"
    shown = render_value(change.value) or "not set"
    verb = "Setting changed" if done.changes else "Nothing to change"
    return ("Dry run · " if done.dry_run else "") + f"{verb} · {name} is {shown} · {change.origin}"
