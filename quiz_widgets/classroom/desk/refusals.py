"""Why the desk does not do what it is asked: a word for programs, a sentence for people, and whether to try again."""

from __future__ import annotations


class Refused(Exception):
    """Something that the desk will not do. `code` is stable; `status` is the HTTP status that goes with it."""

    def __init__(self, code: str, message: str, *, status: int = 409) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status


class Unavailable(Exception):
    """The desk cannot answer now; nothing was recorded. Whoever asked should ask again after `after` seconds."""

    def __init__(self, message: str, after: int = 2) -> None:
        super().__init__(message)
        self.message = message
        self.after = after


def unknown(what: str) -> Refused:
    """The one answer for what is not there and for what is not yours, so that nobody learns which it is."""
    return Refused("unknown", f"there is no such {what}", status=404)
