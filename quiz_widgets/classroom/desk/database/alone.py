"""Only one process may write a SQLite file, and only on a disk of this machine: both are checked at the start."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from quiz_widgets.classroom.desk.database.engine import DatabaseError

_REMOTE = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "glusterfs", "lustre", "9p", "fuse.sshfs"})
_MOUNTS = Path("/proc/self/mounts")


def filesystem(path: Path, mounts: Path = _MOUNTS) -> str | None:
    """The kind of file system that holds a path, as the mount table names it; `None` where there is no such table."""
    try:
        lines = mounts.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    found, longest = None, -1
    where = str(path.resolve())
    for line in lines:
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        place = fields[1].replace("\\040", " ").rstrip("/")
        if (where == place or where.startswith(f"{place}/")) and len(place) > longest:
            found, longest = fields[2], len(place)
    return found


def claim(database: Path, mounts: Path = _MOUNTS) -> int:
    """Hold the file for this process until it ends; the lock's file descriptor.

    `DatabaseError` when another process holds it, or when it lies on a network file system, where SQLite's locks do
    not hold: answers could be lost without an error.
    """
    kind = filesystem(database.parent, mounts)
    if kind in _REMOTE:
        raise DatabaseError(
            f"{database} lies on {kind}, where SQLite's locks do not hold and answers could be lost. "
            "Put it on a disk of this machine, or use PostgreSQL."
        )
    lock = os.open(f"{database}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise DatabaseError(
            f"another process has {database} open. SQLite takes one worker; end the other one, or use PostgreSQL."
        ) from None
    return lock
