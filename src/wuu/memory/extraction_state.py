"""How extraction stands, told from its job files: how many are in which state, and how the last one ended.

Reads `workspaces/<key>/extraction/jobs/<job>.json` (ARCHITECTURE 2) and nothing else; it runs no
job and looks at the text of none. A job is an object with `state`, and `finished_at` and `error` at its end.
"""

import json
from typing import Any

from wuu.errors import WuuError
from wuu.store.home import Home

STATES = ("queued", "running", "completed", "skipped", "failed")
"""The states of a job (seed, "Extraction tab"); the last three are final."""

_ENDED = STATES[2:]
_EXTENSION = ".json"


def read_extraction(home: Home, workspace: str | None) -> dict[str, Any]:
    """Return the number of jobs in each state, `unreadable` ones, and `last_job` and `last_error` or None.

    Without a workspace, or before its first job, all numbers are 0.
    """
    jobs: dict[str, Any] = dict.fromkeys((*STATES, "unreadable"), 0)
    last: dict[str, Any] | None = None
    for job_id, job in (
        [] if workspace is None else _read_jobs(home, f"workspaces/{workspace}/extraction/jobs")
    ):
        state = job.get("state")
        jobs[state if state in STATES else "unreadable"] += 1
        if state in _ENDED:
            found = {"id": job_id, "state": state, "finished_at": _text(job, "finished_at")}
            found["error"] = _text(job, "error")
            if last is None or (found["finished_at"] or "") >= (last["finished_at"] or ""):
                last = found
    return {**jobs, "last_job": last, "last_error": None if last is None else last["error"]}


def _read_jobs(home: Home, folder: str) -> list[tuple[str, dict[str, Any]]]:
    names = sorted(name for name in home.scan(folder).names if name.endswith(_EXTENSION))
    return [(name.removesuffix(_EXTENSION), _read_job(home, f"{folder}/{name}")) for name in names]


def _read_job(home: Home, path: str) -> dict[str, Any]:
    """Return a job, or an empty one where its file cannot be read."""
    try:
        job = json.loads(home.read(path, follow=False) or b"")
    except (WuuError, ValueError, RecursionError):
        return {}
    return job if isinstance(job, dict) else {}


def _text(job: dict[str, Any], key: str) -> str | None:
    value = job.get(key)
    return value if isinstance(value, str) else None
