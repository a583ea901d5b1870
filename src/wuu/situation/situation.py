"""What every use case is told about its call: home, caller, read-only mode, project, settings.

It reads the environment it is given, never `os.environ`, and looks for the project and the settings only when
somebody asks: most commands never do, and start-up is a feature (ARCHITECTURE 7).
"""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from wuu.errors import UsageProblem
from wuu.situation.caller import Caller, identify_caller

if TYPE_CHECKING:
    from wuu.situation.settings import Settings
    from wuu.situation.workspace import NoProject, Workspace

_NO = frozenset({"", "0", "false", "no"})


class Situation:
    """The circumstances of one call; they do not change while it runs. Paths are absolute.

    Attributes:
        home: Root of the wuu home; it need not exist, and links in it are not resolved.
        caller: Who asks, in which session and with which profile.
        read_only: Nothing may be written, advisory state included.
        no_input: Nothing may be asked.
    """

    __slots__ = (
        "_cwd",
        "_override",
        "_settings",
        "_user_home",
        "_workspace",
        "caller",
        "home",
        "no_input",
        "read_only",
    )

    def __init__(
        self,
        *,
        home: str,
        caller: Caller,
        cwd: str,
        user_home: str | None = None,
        override: str | None = None,
        read_only: bool = False,
        no_input: bool = False,
    ) -> None:
        self.home: Final = home
        self.caller: Final = caller
        self.read_only: Final = read_only
        self.no_input: Final = no_input
        self._cwd: Final = cwd
        self._user_home: Final = user_home
        self._override: Final = override
        self._workspace: Workspace | NoProject | None = None
        self._settings: Settings | None = None

    @property
    def workspace(self) -> "Workspace | NoProject":
        """The project of this call, or that there is none; found at first use.

        Raises:
            NotFound: `--workspace` or `WUU_WORKSPACE` names no directory and no known workspace.
        """
        if self._workspace is None:
            from wuu.situation.workspace import find_workspace  # noqa: PLC0415  (most calls need none)

            self._workspace = find_workspace(
                self._cwd, home=self.home, user_home=self._user_home, override=self._override
            )
        return self._workspace

    def get_workspace(self) -> "Workspace":
        """Return the project of this call.

        Raises:
            Refused: There is none: this is `$HOME` or `/` (FACTS, "Other decisions").
            NotFound: See `workspace`.
        """
        from wuu.situation.workspace import get_project  # noqa: PLC0415  (see `workspace`)

        return get_project(self.workspace)

    @property
    def settings(self) -> "Settings":
        """The settings that hold for this project; read at first use.

        Raises:
            SettingsInvalid: A value has the wrong type, or the file is no JSON.
            WuuError: The file cannot be read; see `read_settings`.
        """
        if self._settings is None:
            from wuu.situation.settings import SETTINGS_FILE, read_settings  # noqa: PLC0415  (JSON, hashes)

            self._settings = read_settings(os.path.join(self.home, SETTINGS_FILE), self.workspace.root)
        return self._settings


def resolve_situation(  # noqa: PLR0913  (the shared options of CONTRACT, all by keyword)
    *,
    environ: Mapping[str, str],
    cwd: str,
    home: str | None = None,
    workspace: str | None = None,
    profile: str | None = None,
    session: str | None = None,
    read_only: bool = False,
    no_input: bool = False,
    as_agent: bool = False,
) -> Situation:
    """Return the circumstances of a call: its shared options (CONTRACT), `environ`, the absolute `cwd`.

    An option that is None or blank was not given. `WUU_READ_ONLY` counts unless it is blank, 0, false or no.

    Raises:
        UsageProblem: No home can be told, or a session or profile is no plain base name.
    """
    user_home = _user_home(environ)
    override = _given(workspace, environ, "WUU_WORKSPACE")
    return Situation(
        home=_home(home, environ, cwd, user_home),
        caller=identify_caller(environ, as_agent=as_agent, session=session, profile=profile),
        cwd=cwd,
        user_home=user_home,
        override=None if override is None else _absolute(override, cwd, user_home),
        read_only=read_only or environ.get("WUU_READ_ONLY", "").strip().lower() not in _NO,
        no_input=no_input,
    )


def _home(flag: str | None, environ: Mapping[str, str], cwd: str, user_home: str | None) -> str:
    given = _given(flag, environ, "WUU_HOME")
    if given is not None:
        return _absolute(given, cwd, user_home)
    if user_home is None:
        raise UsageProblem(
            "There is no home directory to keep .wuu in.", hint="Name a folder with --home or WUU_HOME."
        )
    return os.path.join(user_home, ".wuu")


def _user_home(environ: Mapping[str, str]) -> str | None:
    """Return the absolute home directory of the user: `HOME`, else what the system's user database says."""
    named = environ.get("HOME", "")
    if os.path.isabs(named):
        return os.path.normpath(named)
    import pwd  # noqa: PLC0415  (not there on Windows)

    try:
        return pwd.getpwuid(os.getuid()).pw_dir or None
    except KeyError:
        return None


def _given(flag: str | None, environ: Mapping[str, str], variable: str) -> str | None:
    return next((value for value in (flag, environ.get(variable)) if value and value.strip()), None)


def _absolute(path: str, cwd: str, user_home: str | None) -> str:
    """Make `path` absolute; `~/` also works where no shell has expanded it, as in a file of variables."""
    if user_home and (path == "~" or path.startswith("~/")):
        path = os.path.join(user_home, path[2:])
    return os.path.normpath(os.path.join(cwd, path))
