"""Addresses of a platform: which ones the desk calls at all, and how AGS builds one from another."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit, urlunsplit

from quiz_widgets.classroom.desk.refusals import Refused

LONGEST = 2048
PORTS = {"https": 443, "http": 80}
_NUMBER = re.compile(r"[0-9]+|0[xX][0-9a-fA-F]*")
_IPV4_BEHIND = ipaddress.ip_network("64:ff9b::/96")  # any IPv4 address, private ones too, where a network has NAT64


def checked(text: str, what: str, *, loopback: bool = False) -> str:
    """The address `what`, if the desk may call it; else `Refused`.

    https to a host with a name, or with a number that is public. `loopback`: also http to this machine, which is for
    trials: whoever may set an address in a browser must not reach what listens beside the desk.
    """
    parts = _split(text)
    allowed = "an https address of the platform, such as https://lms.example.org/…"
    if parts is None or len(text) > LONGEST or not text.isascii() or not text.isprintable() or " " in text:
        raise Refused("bad_address", f"{what}: give {allowed}", status=422)
    if parts.username is not None or parts.fragment or not parts.hostname:
        raise Refused("bad_address", f"{what}: give {allowed}, without a name, password or #", status=422)
    if is_loopback(parts.hostname):
        if loopback and parts.scheme in PORTS:
            return text
        raise Refused("bad_address", f"{what}: this machine is no platform; give {allowed}", status=422)
    if parts.scheme != "https" or not _is_public(parts.hostname):
        raise Refused("bad_address", f"{what}: give {allowed}", status=422)
    return text


def same_origin(one: str, other: str) -> bool:
    """Whether both have one scheme, host and port: a token for one platform goes to no other place."""
    found = [_origin(text) for text in (one, other)]
    return found[0] is not None and found[0] == found[1]


def scores_of(line: str) -> str:
    """Where scores of a line item go: below its path, before its query (Moodle's line items have one)."""
    parts = urlsplit(line)
    return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/scores"))


def with_query(url: str, **more: str) -> str:
    """The address with these fields in its query, instead of those of the same name."""
    parts = urlsplit(url)
    kept = [(name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if name not in more]
    return urlunsplit(parts._replace(query=urlencode([*kept, *more.items()])))


def is_loopback(host: str) -> bool:
    """Whether this host is the machine itself."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.rstrip(".").lower() == "localhost" or host.rstrip(".").lower().endswith(".localhost")


def _is_public(host: str) -> bool:
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        name = host.rstrip(".")
        return "." in name and not _NUMBER.fullmatch(name.rpartition(".")[2])  # 127.1 and 0x7f.1 are numbers to some
    return found.is_global and not found.is_multicast and found not in _IPV4_BEHIND


def _split(text: str) -> SplitResult | None:
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        return None
    return parts


def _origin(text: str) -> tuple[str, str, int | None] | None:
    parts = _split(text)
    if parts is None or not parts.hostname:
        return None
    return parts.scheme, parts.hostname, parts.port or PORTS.get(parts.scheme)
