"""A change to the home as a value: which files, from what, to what."""

from typing import Generic, NamedTuple, TypeVar

from wuu.ids import sha256_hex

T = TypeVar("T")


class Change(NamedTuple):
    """One file: `before` is the SHA-256 it must have now, `after` the bytes it gets; None is absent."""

    path: str
    before: str | None
    after: bytes | None

    @property
    def after_digest(self) -> str | None:
        """The SHA-256 that the file has once the change is made, None if it is gone then."""
        return digest_of(self.after)


class ChangeSet(NamedTuple, Generic[T]):
    """What a plan returns: the changes, made all or none, and what its caller wants to know about them."""

    changes: tuple[Change, ...]
    outcome: T


class Request(NamedTuple):
    """A caller's id for a write, and a digest of what was asked: so a repetition is told from a reuse."""

    id: str
    digest: str


class Receipt(NamedTuple):
    """The lasting proof that a change was made: hashes only. `files` holds (path, before, after)."""

    id: str
    request_id: str | None
    request_digest: str | None
    command: str
    committed_at: str
    files: tuple[tuple[str, str | None, str | None], ...]


class Recovered(NamedTuple):
    """An interrupted change that was found: `completed`, or `parked` as a file is not what it should be."""

    id: str
    outcome: str
    paths: tuple[str, ...]


class Committed(NamedTuple, Generic[T]):
    """What became of a plan. `outcome` is None when an earlier request with the same id is answered again."""

    outcome: T | None
    changes: tuple[Change, ...]
    receipt: Receipt | None
    replayed: bool
    recovered: tuple[Recovered, ...] = ()


def change(path: str, before: bytes | None, after: bytes | None) -> Change:
    """Return the change of `path` from the bytes that were read to the bytes it shall have."""
    return Change(path, digest_of(before), after)


def digest_of(data: bytes | None) -> str | None:
    """Return the SHA-256 of `data`, None for None."""
    return None if data is None else sha256_hex(data)
