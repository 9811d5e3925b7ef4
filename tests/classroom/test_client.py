"""The client against a desk that fails in every way between here and there: nothing is lost, nothing is sent anew."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast

import pytest

from quiz_widgets.classroom.client import environment
from quiz_widgets.classroom.client.environment import NoDesk, Place
from quiz_widgets.classroom.client.outbox import Outbox, Settled
from quiz_widgets.classroom.client.sender import Sender
from quiz_widgets.classroom.client.transport import Refusal, Transport, Undelivered
from quiz_widgets.classroom.names import Name
from quiz_widgets.contract import EventPayload

NAME = Name("cs101", "week-3")
RUN = "a1" * 16


class Fake:
    """A server that answers from a list: (status, kind of content, text), or "cut" for a connection that ends."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, dict[str, str], Any]] = []
        self.answers: list[Any] = []
        self.kept: dict[str, Any] = {}
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                fake.serve(self)

            do_POST = do_GET  # noqa: N815 - the name that the standard library asks for

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/services/quiz"

    def serve(self, handler: BaseHTTPRequestHandler) -> None:
        length = int(handler.headers.get("Content-Length") or 0)
        sent = json.loads(handler.rfile.read(length)) if length else None
        self.asked.append((handler.command, handler.path, dict(handler.headers), sent))
        answer = self.answers.pop(0) if self.answers else self.keep(sent)
        if answer == "keep and cut":
            self.keep(sent)
        if answer in ("cut", "keep and cut"):
            handler.close_connection = True
            handler.connection.close()
            return
        status, kind, text = answer
        handler.send_response(status)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(text.encode())))
        handler.end_headers()
        handler.wfile.write(text.encode())

    def keep(self, sent: Any) -> tuple[int, str, str]:
        for one in (sent or {}).get("submissions", []):
            self.kept.setdefault(one["id"], []).append(one)
        replies = [
            {"id": one["id"], "verdict": "recorded", "receipt": {"received": 7}}
            for one in (sent or {}).get("submissions", [])
        ]
        return 200, "application/json", json.dumps({"submissions": replies})


@pytest.fixture
def fake() -> Iterator[Fake]:
    made = Fake()
    thread = threading.Thread(target=made.server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield made
    made.server.shutdown()
    made.server.server_close()


def event(number: int, kind: str = "submit") -> EventPayload:
    made: Any = {"id": f"{RUN}/q/{number}", "attempt": RUN, "kind": kind, "item": "q", "round": 0, "at": number}
    made["response"] = ["o1"]
    if kind == "finish":
        made |= {"id": f"{RUN}/finish/{number}", "item": "", "response": []}
    return cast(EventPayload, made)


def sender(fake: Fake, home: Path, outbox: Outbox | None = None) -> tuple[Outbox, Sender]:
    place = Place(fake.url, "ada")
    outbox = outbox or Outbox(home, place.folder, NAME)
    return outbox, Sender(outbox, Transport(place, lambda: "t"), NAME, lambda: None)


HTML = "text/html"
NOT_DELIVERED = {
    "the proxy has no route yet": (404, HTML, "<html>404</html>"),
    "the desk is down": (503, HTML, "<html>503</html>"),
    "the desk asks to come back": (503, "application/json", '{"error":"unavailable","message":"later","retry":true}'),
    "too fast": (429, "application/json", '{"error":"busy","message":"slower","retry":true}'),
    "the desk failed": (500, "application/json", '{"error":"failed","message":"…","retry":true}'),
    "a connection cut before it was read": "cut",
    "a reply lost after it was kept": "keep and cut",
    "json that is not the desk's": (404, "application/json", '{"status":404}'),
    "half a reply": (200, "application/json", '{"submissions":['),
    "a token that is over": (401, "application/json", '{"error":"who","message":"…","retry":false}'),
}


@pytest.mark.parametrize("case", NOT_DELIVERED)
def test_what_may_not_have_arrived_is_sent_again_under_its_id(fake: Fake, tmp_path: Path, case: str) -> None:
    fake.answers = [NOT_DELIVERED[case]]
    outbox, sending = sender(fake, tmp_path)
    outbox.put(event(1))

    with pytest.raises(Undelivered):
        sending.send()
    assert outbox.waiting() == [event(1)]
    sending.send()

    assert outbox.waiting() == []
    assert outbox.settled()[event(1)["id"]] == Settled("recorded", {"received": 7})
    assert {one["id"] for _, _, _, sent in fake.asked for one in sent["submissions"]} == {event(1)["id"]}


def test_the_next_kernel_sends_what_the_killed_one_had_not(fake: Fake, tmp_path: Path) -> None:
    fake.answers = ["cut"]
    outbox, sending = sender(fake, tmp_path)
    outbox.put(event(1))
    with pytest.raises(Undelivered):
        sending.send()
    file = next(outbox.folder.glob("*.jsonl"))
    file.write_bytes(file.read_bytes() + b'{"event":{"id":"cut in the mid')

    later, sending = sender(fake, tmp_path)
    assert later.waiting() == [event(1)]
    sending.send()

    assert list(fake.kept) == [event(1)["id"]]
    assert sender(fake, tmp_path)[0].waiting() == []


def test_the_desk_s_no_is_final_and_told(fake: Fake, tmp_path: Path) -> None:
    fake.answers = [(409, "application/json", '{"error":"closed","message":"…","retry":false}')]
    outbox, sending = sender(fake, tmp_path)
    outbox.put(event(1))
    sending.send()

    assert outbox.waiting() == []
    assert outbox.settled()[event(1)["id"]] == Settled("closed")


def test_finishing_comes_after_everything_that_was_answered(fake: Fake, tmp_path: Path) -> None:
    outbox, sending = sender(fake, tmp_path)
    for one in (event(3, "finish"), *(event(number) for number in range(4, 64)), event(1), event(2)):
        outbox.put(one)
    sending.send()

    paths = [path.rpartition("/")[2] for _, path, _, _ in fake.asked]
    assert paths == ["submissions", "submissions", "finish"]
    assert [one["id"] for one in fake.asked[0][3]["submissions"]][:2] == [event(1)["id"], event(2)["id"]]


def test_a_double_click_is_one_event(fake: Fake, tmp_path: Path) -> None:
    outbox, _ = sender(fake, tmp_path)

    assert [outbox.put(event(1)), outbox.put(event(1))] == [True, False]
    assert outbox.waiting() == [event(1)]


def test_learners_of_one_account_have_outboxes_of_their_own(tmp_path: Path) -> None:
    ada, bob = (Outbox(tmp_path, Place("http://desk", name).folder, NAME) for name in ("ada", "bob"))
    ada.put(event(1))

    assert bob.waiting() == []
    assert Outbox(tmp_path, Place("http://desk", "bob").folder, NAME).waiting() == []


def test_a_ticket_is_shown_instead_of_the_token_until_the_desk_knows_it_no_more(fake: Fake) -> None:
    state = (200, "application/json", '{"ticket":"ticket-x"}')
    over = (401, "application/json", '{"error":"who","message":"…","retry":false}')
    fake.answers = [state, state, over, state]
    transport = Transport(Place(fake.url, "ada"), lambda: "token-of-the-hub")
    for _ in range(3):
        transport.ask("GET", "/courses/cs101/quizzes/week-3")

    shown = [headers["Authorization"] for _, _, headers, _ in fake.asked]
    assert shown == ["token token-of-the-hub", "token ticket-x", "token ticket-x", "token token-of-the-hub"]


def test_a_body_that_is_too_large_is_not_sent(fake: Fake) -> None:
    with pytest.raises(Refusal, match="more than the desk reads"):
        Transport(Place(fake.url, "ada"), lambda: "t").ask("POST", "/x", {"text": "x" * 300_000})
    assert fake.asked == []


def test_the_background_thread_sends_and_tells(fake: Fake, tmp_path: Path) -> None:
    told = threading.Event()
    place = Place(fake.url, "ada")
    outbox = Outbox(tmp_path, place.folder, NAME)
    sending = Sender(outbox, Transport(place, lambda: "t"), NAME, lambda: told.set() if not outbox.waiting() else None)
    fake.answers = ["cut"]
    outbox.put(event(1))
    sending.wake()

    assert told.wait(20)
    sending.stop()
    assert list(fake.kept) == [event(1)["id"]]


NO_WORD = {
    "recorded without a receipt": [{"id": event(1)["id"], "verdict": "recorded"}],
    "nothing of it": [],
    "of another one": [{"id": event(2)["id"], "verdict": "recorded", "receipt": {"received": 7}}],
}


@pytest.mark.parametrize("case", NO_WORD)
def test_without_a_receipt_of_its_own_nothing_is_recorded(fake: Fake, tmp_path: Path, case: str) -> None:
    fake.answers = [(200, "application/json", json.dumps({"submissions": NO_WORD[case]}))]
    outbox, sending = sender(fake, tmp_path)
    outbox.put(event(1))

    with pytest.raises(Undelivered):
        sending.send()
    assert outbox.waiting() == [event(1)]
    assert outbox.settled() == {}


def test_one_that_the_desk_cannot_read_sinks_none_of_the_others(fake: Fake, tmp_path: Path) -> None:
    refused = (422, "application/json", '{"error":"bad_request","message":"…","retry":false}')
    fake.answers = [refused, refused]  # all at once, and the first one alone
    outbox, sending = sender(fake, tmp_path)
    for number in (1, 2, 3):
        outbox.put(event(number))
    sending.send()

    verdicts = {name[-1]: word.verdict for name, word in outbox.settled().items()}
    assert verdicts == {"1": "bad_request", "2": "recorded", "3": "recorded"}


PLACES = {
    "nothing": ({}, "QUIZ_WIDGETS_DESK is not set"),
    "no address": ({"QUIZ_WIDGETS_DESK": "quiz"}, "is no address"),
    "a password in it": ({"QUIZ_WIDGETS_DESK": "http://a:b@hub/quiz", "JUPYTERHUB_USER": "ada"}, "is no address"),
    "no token": ({"QUIZ_WIDGETS_DESK": "http://hub/quiz"}, "has no token"),
}


@pytest.mark.parametrize("case", PLACES)
def test_without_a_desk_the_reason_is_told(case: str) -> None:
    variables, message = PLACES[case]

    with pytest.raises(NoDesk, match=message):
        environment.place(variables)


def test_a_token_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("desk-x\n", encoding="utf-8")
    file.chmod(0o644)
    variables = {environment.TOKEN_FILE: str(file)}

    with pytest.raises(NoDesk, match="chmod 600"):
        environment.token(variables)
    file.chmod(0o600)
    assert environment.token(variables) == "desk-x"


def test_the_client_imports_neither_database_nor_web_framework() -> None:
    script = (
        "import sys, quiz_widgets.classroom.client.sender, quiz_widgets.classroom.client.outbox;"
        "print([name for name in ('sqlalchemy', 'starlette', 'httpx', 'jupyterhub', 'yaml') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
