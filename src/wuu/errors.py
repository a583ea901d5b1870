"""Every way in which wuu fails, with its stable code and its exit status.

Owns the classes and nothing else: no text for a terminal, no import from another room. The table of
exit statuses is section 5 of the architecture; `docs/reference/exit-statuses.md` is generated from here.
"""

from typing import Any, ClassVar, NamedTuple


class Caveat(NamedTuple):
    """A warning that travels with a result: a stable `code`, one line of text, and JSON details."""

    code: str
    message: str
    details: dict[str, Any]


class WuuError(Exception):
    """Something a person or a script can act on. Subclasses fix `code` and `exit_status`."""

    code: ClassVar[str] = "internal_error"
    exit_status: ClassVar[int] = 70

    def __init__(self, message: str, *, hint: str | None = None, **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.details = details


class Findings(WuuError):
    """A check ran to its end and found problems that are errors."""

    code = "findings"
    exit_status = 1


class Partial(WuuError):
    """Some of several things were done and others were not; each has its own reason."""

    code = "partial"
    exit_status = 1


class UsageProblem(WuuError):
    """The call cannot be understood, or an argument is out of its bounds."""

    code = "usage"
    exit_status = 2


class SettingsInvalid(WuuError):
    """A settings file holds a value of the wrong type."""

    code = "settings_invalid"
    exit_status = 2


class NotFound(WuuError):
    """What was named does not exist."""

    code = "not_found"
    exit_status = 3


class Ambiguous(WuuError):
    """What was named is not unique; the candidates are listed, and nothing was written."""

    code = "ambiguous"
    exit_status = 3


class PinLimit(WuuError):
    """As many memories are pinned here as can be; nothing was written."""

    code = "pin_limit"
    exit_status = 4


class LinkLimit(WuuError):
    """A memory has as many links as it can have; nothing was written."""

    code = "link_limit"
    exit_status = 4


class WorkspaceMoved(WuuError):
    """The project is known under a path that is gone; a person says whether it is the same one."""

    code = "workspace_moved"
    exit_status = 4


class ChangedOnDisk(WuuError):
    """A file is not what it was when the change was worked out; nothing was written."""

    code = "changed_on_disk"
    exit_status = 4


class StaleRevision(WuuError):
    """The caller's revision is not the current one; nothing was written."""

    code = "stale_revision"
    exit_status = 4


class AlreadyExists(WuuError):
    """Something of that name is there already; nothing was written."""

    code = "already_exists"
    exit_status = 4


class RequestIdReused(WuuError):
    """A request id came back with another request; nothing was written."""

    code = "request_id_reused"
    exit_status = 4


class Refused(WuuError):
    """wuu will not do this."""

    code = "refused"
    exit_status = 5


class TooLarge(WuuError):
    """More bytes than the format allows; nothing was written."""

    code = "too_large"
    exit_status = 5


class UnsafeFile(WuuError):
    """A link, a special file, or a path that leaves its folder."""

    code = "unsafe_file"
    exit_status = 5


class SecretDetected(WuuError):
    """What somebody wants to keep holds what looks like a credential; it is never repeated."""

    code = "secret_detected"
    exit_status = 5


class ApprovalRequired(WuuError):
    """Only a person may do this, and an agent asked."""

    code = "approval_required"
    exit_status = 5


class ConfirmationRequired(WuuError):
    """A destructive command needs a yes, and nobody gave one."""

    code = "confirmation_required"
    exit_status = 5


class Declined(WuuError):
    """A person said no at the prompt."""

    code = "declined"
    exit_status = 5


class ReadOnlyMode(WuuError):
    """The whole program runs read-only, and this would write."""

    code = "read_only_mode"
    exit_status = 5


class Locked(WuuError):
    """Somebody else holds the lock, and the wait is over."""

    code = "locked"
    exit_status = 6


class RecoveryNeeded(WuuError):
    """An interrupted change blocks these paths until a person settles it."""

    code = "recovery_needed"
    exit_status = 7


class Corrupt(WuuError):
    """Stored bytes are not what their format promises."""

    code = "corrupt"
    exit_status = 7


class NotUtf8(Corrupt):
    """A file is not valid UTF-8; it is named with the offset of the first bad byte and left alone."""

    code = "not_utf8"


class FormatTooNew(WuuError):
    """A newer wuu wrote this home."""

    code = "format_too_new"
    exit_status = 7


class IoProblem(WuuError):
    """The operating system refused a read or a write."""

    code = "io_error"
    exit_status = 8


class DiskFull(IoProblem):
    """No room, no quota, or the file would pass the size limit of the process."""

    code = "disk_full"


class ReadOnlyDisk(IoProblem):
    """The file system is mounted read-only."""

    code = "read_only"


class Interrupted(WuuError):
    """A signal stopped the command."""

    code = "interrupted"
    exit_status = 130


class Terminated(Interrupted):
    """The command was told to end (SIGTERM)."""

    code = "terminated"
    exit_status = 143
