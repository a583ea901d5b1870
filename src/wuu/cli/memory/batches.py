"""Several memories changed by one command: each by a write of its own, each with its own failure."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from wuu.cli.call import Call
from wuu.cli.memory.changed import difference_of, id_of, reply_of, subject_of
from wuu.cli.output import Reply, Rows
from wuu.errors import FormatTooNew, Interrupted, IoProblem, Locked, Partial, ReadOnlyMode, WuuError
from wuu.memory.values import ChangeMemory, MemoryChange
from wuu.situation.writing import WriteOptions, Written

Act = Callable[[ChangeMemory, WriteOptions], Written[MemoryChange]]

# What stops one stops all the others as well.
_FATAL = (Locked, IoProblem, ReadOnlyMode, FormatTooNew)


class Result(NamedTuple):
    """What became of one id: what was done, or why it was not."""

    id: str
    done: Written[MemoryChange] | None = None
    error: WuuError | None = None
    skipped: bool = False

    @property
    def outcome(self) -> str:
        """What was done in one word, in the past."""
        if self.error is not None:
            return "skipped" if self.skipped else "failed"
        change = self.done.outcome if self.done else None
        return change.verb if change else "done before"

    def value(self) -> dict[str, Any]:
        """Return this as JSON (CONTRACT, "batches")."""
        error = self.error
        reason, code = (error.message, error.code) if error else (None, None)
        return {"id": self.id, "outcome": self.outcome, "reason": reason, "code": code}


def change_all(
    call: Call,
    requests: Sequence[ChangeMemory],
    options: WriteOptions,
    act: Act,
    refused: Sequence[Result] = (),
) -> Reply:
    """Do what `requests` ask and return the reply; those in `refused` were turned down before.

    A single one fails with its own error and status; of several, those that can be done are done.

    Raises:
        WuuError: Whatever `act` raises for a single one, or for the first if the rest would fare the same.
    """
    if len(requests) == 1 and not refused:
        done = act(requests[0], options)
        reply = reply_of(call, done)
        return reply._replace(data={**reply.data, "results": [_result(requests[0], done).value()]})
    results = [*refused, *_each(requests, options, act)]
    return _batch_reply(call, results, dry_run=options.dry_run)


def _each(requests: Sequence[ChangeMemory], options: WriteOptions, act: Act) -> list[Result]:
    results: list[Result] = []
    stopped: WuuError | None = None
    for request in requests:
        if stopped is not None:
            results.append(Result(request.id, error=stopped, skipped=True))
            continue
        try:
            results.append(_result(request, act(request, _own_request(options, request.id))))
        except Interrupted:
            raise
        except WuuError as error:
            if isinstance(error, _FATAL):
                if not any(one.done for one in results):
                    raise
                stopped = error
            results.append(Result(request.id, error=error))
    return results


def _result(request: ChangeMemory, done: Written[MemoryChange]) -> Result:
    return Result(id_of(done) or request.id, done)


def _own_request(options: WriteOptions, memory_id: str) -> WriteOptions:
    """Return how to write one of several: a repetition of the command repeats each of them."""
    if options.request_id is None:
        return options
    return options._replace(request_id=f"{options.request_id}/{memory_id}")


def _batch_reply(call: Call, results: Sequence[Result], *, dry_run: bool) -> Reply:
    failed = sum(one.error is not None for one in results)
    data: dict[str, Any] = {"results": [one.value() for one in results], "dry_run": dry_run}
    written = [one.done for one in results if one.done]
    caveats = tuple(
        caveat
        for done in written
        for caveat in (*done.caveats, *(done.outcome.caveats if done.outcome else ()))
    )
    failure = Partial(f"{failed} of {len(results)} were not done.", failed=failed) if failed else None
    if dry_run:
        data["diff"] = "".join(difference_of(call, done) for done in written)
        return Reply(data, data["diff"], _summary(results), caveats, failure=failure)
    rows = [_row(one) for one in results if one.error or not call.quiet]
    return Reply(data, Rows(("ID", "OUTCOME", "WHAT"), rows), "", caveats, failure=failure)


def _row(one: Result) -> tuple[str, str, str]:
    what = one.error.message if one.error else subject_of(one.done) if one.done else ""
    return one.id, one.outcome, what


def _summary(results: Sequence[Result]) -> str:
    return f"Dry run · {sum(one.done is not None for one in results)} would be changed."
