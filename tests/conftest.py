"""What every test starts from: a home of its own, one door to the shared data, two ways to run wuu."""

import itertools
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis.database import DirectoryBasedExampleDatabase

from house.invocation import Invoke, Ran, run_in_process, run_process
from house.isolation import fence_around, own_environment, watch
from house.places import REAL_HOME, REPOSITORY, SHARED_DATA

_TRESPASSES: list[str] = []

_IN_CI = bool(os.environ.get("CI"))
settings.register_profile(
    "wuu",
    deadline=None,  # a slow machine is not a failure
    max_examples=int(os.environ.get("WUU_EXAMPLES", "60")),  # more of them when one is looking for trouble
    derandomize=_IN_CI,
    database=None if _IN_CI else DirectoryBasedExampleDatabase(REPOSITORY / ".hypothesis" / "examples"),
)
settings.load_profile("wuu")


# The same lines run thousands of times here: measuring them would double the time and find nothing new.
_EXHAUSTIVE = frozenset(
    (
        *("test_crash_states", "test_crashes", "test_faults", "test_machine", "test_damage"),
        *("test_round_trip", "test_secrets_properties"),
    )
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Measure no coverage in tests that are slow or exhaustive."""
    for item in items:
        if item.get_closest_marker("slow") or item.path.stem in _EXHAUSTIVE:
            item.add_marker(pytest.mark.no_cover)


def pytest_xdist_auto_num_workers() -> int:
    """Take one worker more than there are cores: many tests wait, for a lock, a disk or a process."""
    return (os.cpu_count() or 1) + 1


@pytest.fixture(scope="session", autouse=True)
def _watched_home(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Watch the real home for the whole session."""
    watch(fence_around(str(REAL_HOME), [str(REPOSITORY), str(tmp_path_factory.getbasetemp())]), _TRESPASSES)


@pytest.fixture(scope="session")
def _places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a supply of fresh names in one temporary folder, so that `tmp_path` itself stays empty."""
    folder = tmp_path_factory.mktemp("places")
    return (folder / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def _own_home(_places: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give the test a home, a working folder and an environment that only it knows."""
    place = next(_places)
    home, work = place / "home", place / "work"
    home.mkdir(mode=0o700, parents=True)
    work.mkdir()
    environment = own_environment(os.environ, str(home))
    for name in set(os.environ) - set(environment):
        monkeypatch.delenv(name)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(work)
    _TRESPASSES.clear()
    yield
    assert not _TRESPASSES, f"the test reached for the real home: {_TRESPASSES}"


@pytest.fixture
def trespasses() -> list[str]:
    """Return the list of changes tried in the real home so far; a test that provokes one clears it."""
    return _TRESPASSES


@pytest.fixture(scope="session")
def real_home() -> Path:
    """Return the home of whoever runs the tests. Only for looking away from it."""
    return REAL_HOME


@pytest.fixture(scope="session")
def repository() -> Path:
    """Return the root of the checkout."""
    return REPOSITORY


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder of the shared test material, or skip the test: the one door to it."""
    if not SHARED_DATA.is_dir():
        pytest.skip(f"no shared data at {SHARED_DATA} (WUU_SHARED_DATA names another place)")
    return SHARED_DATA


@pytest.fixture
def invoke() -> Invoke:
    """Return the runner of wuu in this process."""

    def run(*arguments: str, stdin: str | bytes = b"", env: Mapping[str, str] | None = None) -> Ran:
        return run_in_process(arguments, stdin=stdin, env=env or {})

    return run


@pytest.fixture
def wuu_process() -> Invoke:
    """Return the runner of wuu as a process of its own (also takes `cwd` and `timeout` in seconds)."""

    def run(*arguments: str, env: Mapping[str, str] | None = None, **options: Any) -> Ran:
        return run_process(arguments, env=env or {}, **options)

    return run
