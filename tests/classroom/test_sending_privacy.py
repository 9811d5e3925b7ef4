"""Scores on their way to a platform: no secret is kept, and an erased learner leaves nothing."""

from __future__ import annotations

import json
import logging

import pytest
from sqlalchemy import select, update
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from quiz_widgets.classroom.desk.database.engine import reading, writing
from quiz_widgets.classroom.desk.database.outside_tables import outbox
from quiz_widgets.classroom.desk.database.rows import rows
from quiz_widgets.classroom.desk.database.tables import audit, course, person
from quiz_widgets.classroom.desk.operations import learners
from tests.classroom.sending import Sending, sending

__all__ = ["sending"]  # the fixture


def test_no_secret_is_written_down_or_logged(sending: Sending, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever a platform repeats of what it was shown."""
    shown: list[str] = []

    async def repeats(request: Request) -> Response:
        form = await request.form()
        shown.append(str(form.get("client_assertion") or request.headers["authorization"].removeprefix("Bearer ")))
        return JSONResponse({"error": "no", "error_description": f"bad {shown[-1]}"}, 400)

    caplog.set_level(logging.DEBUG)
    sending.platform.faults = {"token": [repeats], "scores": [repeats]}
    sending.ready("ada")
    sending.send()
    trouble = sending.rests()
    sending.send(20_000)

    assert (trouble["trouble"], sending.rows()[0]["last_error"]) == ("no token: 400 bad …: no", "400 bad ...: no")
    with reading(sending.engine) as connection:
        kept = json.dumps([trouble, *rows(connection, select(outbox)), *rows(connection, select(audit))])
    assert len(shown) == 2
    for secret in shown:
        assert secret not in kept
        assert secret not in caplog.text


def test_an_erased_learner_leaves_nothing_to_send(sending: Sending) -> None:
    sending.platform.users.discard("lti-ada")
    sending.ready("ada")
    sending.send()
    with writing(sending.engine) as connection:
        told = learners.export(connection, "ada")
        assert [one["state"] for one in told["outbox"]] == ["failed"]
        erased = learners.erase(connection, "ada", "prof", sending.now)
    with reading(sending.engine) as connection:
        [row] = rows(connection, select(outbox).where(outbox.c.person == erased))
    assert (row["state"], row["last_error"]) == ("replaced", None)
    with writing(sending.engine) as connection:
        connection.execute(update(course).values(retained_until=sending.now))
        learners.purge(connection, "prof", sending.now)
        assert rows(connection, select(person).where(person.c.id == erased)) == []
