"""What somebody wrote into the fields of a form: texts and numbers, or a refusal that names the field."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal

from starlette.requests import Request

from quiz_widgets.classroom.desk.refusals import Refused

Entered = Mapping[str, str]
LONGEST = 8192
AROUND = 64 * 1024  # bytes that a form has around its file
ENTERED_WRONG = (409, 422)  # statuses of refusals that a page shows beside what was entered
_NUMBER = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")
_SIGNS = str.maketrans({",": ".", "\N{ARABIC DECIMAL SEPARATOR}": "."})


async def entered(request: Request) -> Entered:
    """All text fields of the form that was sent, without spaces around; a field that stands twice keeps its last."""
    form = await request.form()
    found = {name: value.strip() for name, value in form.multi_items() if isinstance(value, str)}
    for name, value in found.items():
        if len(value) > LONGEST:
            raise Refused("bad_request", f"`{name}` has more than {LONGEST} characters", status=422)
    return found


async def several(request: Request, name: str) -> tuple[str, ...]:
    """All values of a field that may stand more than once, in their order."""
    form = await request.form()
    return tuple(value for value in form.getlist(name) if isinstance(value, str))


def number(text: str, what: str) -> Decimal:
    """A number from 0, with a point or a comma, in the digits of any language; `Refused` for anything else."""
    plain = "".join(str(int(sign)) if sign.isdecimal() else sign for sign in text).translate(_SIGNS)
    if not _NUMBER.fullmatch(plain):
        raise Refused("bad_request", f"{what} is a number, such as 10 or 1.5", status=422)
    return Decimal(plain)


def whole(text: str, what: str) -> int:
    """A whole number from 0."""
    found = number(text, what)
    if found != int(found):
        raise Refused("bad_request", f"{what} is a whole number", status=422)
    return int(found)
