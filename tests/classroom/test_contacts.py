"""What kernels say of their outboxes: told with each question, remembered by the desk, written once for all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, select

from quiz_widgets.classroom import wire
from quiz_widgets.classroom.client.environment import Place
from quiz_widgets.classroom.client.outbox import Outbox
from quiz_widgets.classroom.client.sender import Sender
from quiz_widgets.classroom.client.transport import Transport, Undelivered
from quiz_widgets.classroom.desk import contacts
from quiz_widgets.classroom.desk.contacts import Contacts, Heard
from quiz_widgets.classroom.desk.database.class_tables import contact
from quiz_widgets.classroom.desk.database.engine import reading, writing
from quiz_widgets.classroom.names import Name
from tests.classroom.room import QUIZ, Ask, Room
from tests.classroom.small_class import START, Class
from tests.classroom.test_client import Fake, event, fake

__all__ = ["fake"]  # the fixture

NAME = Name("cs101", "week-3")


def written(engine: Engine) -> dict[str, tuple[int, int]]:
    with reading(engine) as connection:
        ids = {Class().who(connection, name)["person"]: name for name in ("ada", "bob")}
        return {ids[row.person]: (row.at, row.waiting) for row in connection.execute(select(contact))}


@pytest.mark.parametrize(
    ("told", "settled", "kept"),
    [
        ("0", 0, 0),
        ("3", 0, 3),
        ("3", 2, 1),
        ("1", 50, 0),
        ("9999", 0, 9999),
        ("10000", 0, None),
        ("-1", 0, None),
        ("٣", 0, None),
        ("²", 0, None),
        ("1.5", 0, None),
        ("", 0, None),
        (" 1", 0, None),
        ("1" * 5000, 0, None),
        (None, 0, None),
    ],
)
def test_only_a_small_number_is_believed(told: str | None, settled: int, kept: int | None) -> None:
    heard = Contacts()
    heard.hear(NAME, "ada", told, START, settled)
    assert heard.take() == ({} if kept is None else {(NAME, "ada"): Heard(START, kept)})
    assert heard.take() == {}


def test_made_up_names_fill_no_memory_and_hold_up_nobody() -> None:
    heard = Contacts()
    for number in range(30_000):
        heard.hear(NAME, f"n{number}", "1", START)
    found = [len(heard.take()) for _ in range(6)]
    assert found == [5_000] * 4 + [0] * 2


def test_an_older_word_replaces_no_newer_one_and_strangers_are_left_out(engine: Engine) -> None:
    with writing(engine) as connection:
        Class().make(connection)
    for at, waiting in ((START, 1), (START + 5, 4), (START + 2, 9)):
        with writing(engine) as connection:
            told = Heard(at, waiting)
            contacts.write(connection, {(NAME, "ada"): told, (NAME, "eve"): told, (Name("x", "y"), "bob"): told})
    assert written(engine) == {"ada": (START + 5, 4)}


def test_the_desk_counts_what_it_has_just_taken_as_no_longer_held(engine: Engine) -> None:
    room = Room(engine)

    async def work(ask: Ask) -> list[Any]:
        held = {wire.WAITING: "3"}
        opened = (await ask("ada", "POST", f"{QUIZ}/attempts", headers=held)).json()
        item = next(one for one in opened["quiz"]["items"] if one.get("options"))
        run = opened["attempt"]["id"]
        one = {"id": f"{run}/{item['id']}/1", "item": item["id"], "response": [item["options"][0]["id"]]}
        before = room.desk.contacts.take() if room.desk else {}
        path = f"{QUIZ}/attempts/{run}/submissions"
        room.now += 7
        await ask("ada", "POST", path, json={"submissions": [one]}, headers=held)
        await ask("eve", "GET", QUIZ, headers=held)  # belongs to no course
        await ask("bob", "GET", QUIZ)  # an older client
        return [before]

    [before] = room.run(work)
    assert before == {(NAME, "ada"): Heard(START, 3)}
    assert written(engine) == {"ada": (START + 7, 2)}  # written at the desk's end


def test_a_client_tells_how_many_answers_it_holds(fake: Fake, tmp_path: Path) -> None:
    place = Place(fake.url, "ada")
    outbox = Outbox(tmp_path, place.folder, NAME)
    sending = Sender(outbox, Transport(place, lambda: "t", held=outbox.held), NAME, lambda: None)
    outbox.put(event(1))
    outbox.put(event(2, "finish"))  # no answer
    fake.answers = ["cut"]
    with pytest.raises(Undelivered):
        sending.send()
    outbox.put(event(3))
    sending.send()
    told = [headers.get(wire.WAITING) for _, path, headers, _ in fake.asked if path.endswith("submissions")]
    assert told == ["1", "2"]
    assert outbox.held() == 0
