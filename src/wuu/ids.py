"""Identifiers and digests."""

import hashlib
import os


def new_id() -> str:
    """Return 16 random lower-case hex digits, the form of every id that wuu makes."""
    return os.urandom(8).hex()


def sha256_hex(data: bytes) -> str:
    """Return the SHA-256 of `data` as 64 lower-case hex digits."""
    return hashlib.sha256(data).hexdigest()


def host_name() -> str:
    """Return the name of this machine; it tells a person where a lock is held, and nothing depends on it."""
    return os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "")
