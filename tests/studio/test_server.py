"""Who may ask the preview's server, and what it gives: this page behind its token, and no file that a request names."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quiz_widgets.studio import server
from quiz_widgets.studio.server import Preview


def ask(
    preview: Preview, path: str = "", *, token: str | None = None, **headers: str | None
) -> http.client.HTTPResponse:
    """The answer to one request; a header of `None` is left out."""
    sent = {"Host": f"127.0.0.1:{preview.server_port}"} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    connection = http.client.HTTPConnection("127.0.0.1", preview.server_port, timeout=30)
    connection.putrequest("GET", f"/{preview.token if token is None else token}/{path}", skip_host=True)
    for name, value in sent.items():
        if value is not None:
            connection.putheader(name, value)
    connection.endheaders()
    return connection.getresponse()


def state(preview: Preview, after: int = 0) -> dict[str, Any]:
    return json.loads(ask(preview, f"state?after={after}").read())  # type: ignore[no-any-return]


@pytest.mark.parametrize("path", ["", "state?after=0", "player.js", "preview.js", "preview.css"])
def test_every_answer_is_fenced_in(preview: Preview, path: str) -> None:
    answer = ask(preview, path)

    assert answer.status == 200
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self' 'sha256-")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "Python" not in answer.headers["Server"]


@pytest.mark.parametrize("token", ["", "x", "token", "%00", "%D8%AA"])
def test_a_wrong_token_is_refused(preview: Preview, token: str) -> None:
    for path in ("", "state", "preview.js"):
        answer = ask(preview, path, token=token)
        assert answer.status == 403
        assert b"Sums" not in answer.read()


def test_a_token_cut_short_or_made_longer_is_refused(preview: Preview) -> None:
    assert {ask(preview, token=token).status for token in (preview.token[:-1], f"{preview.token}x")} == {403}


@pytest.mark.parametrize(
    "host", ["quiz.example", "quiz.example:PORT", "127.0.0.1", "127.0.0.1:1", "[::1]:PORT", "", None]
)
def test_another_host_is_refused_as_rebinding_would_name_it(preview: Preview, host: str | None) -> None:
    assert ask(preview, Host=host and host.replace("PORT", str(preview.server_port))).status == 403


def test_the_other_name_of_this_machine_will_do(preview: Preview) -> None:
    assert ask(preview, Host=f"localhost:{preview.server_port}").status == 200


def test_two_hosts_are_refused(preview: Preview) -> None:
    host = f"127.0.0.1:{preview.server_port}"
    request = f"GET /{preview.token}/ HTTP/1.1\r\nHost: {host}\r\nHost: quiz.example\r\n\r\n"
    with socket.create_connection(("127.0.0.1", preview.server_port), timeout=30) as sent:
        sent.sendall(request.encode())
        assert b" 403 " in sent.makefile("rb").readline()


@pytest.mark.parametrize("origin", ["http://quiz.example", "null", "https://127.0.0.1:PORT", "http://127.0.0.1:1"])
def test_another_origin_is_refused(preview: Preview, origin: str) -> None:
    named = origin.replace("PORT", str(preview.server_port))

    assert ask(preview, "state", Origin=named).status == 403
    assert ask(preview, "state", Origin=f"http://127.0.0.1:{preview.server_port}").status == 200


@pytest.mark.parametrize(
    ("site", "mode", "dest", "status"),
    [
        ("same-origin", "cors", "empty", 200),
        ("none", "navigate", "document", 200),
        ("cross-site", "navigate", "document", 200),
        ("cross-site", "navigate", "iframe", 403),
        ("cross-site", "no-cors", "script", 403),
        ("same-site", "cors", "empty", 403),
    ],
)
def test_pages_of_others_get_nothing_but_a_visit(
    preview: Preview, site: str, mode: str, dest: str, status: int
) -> None:
    headers = {"Sec_Fetch_Site": site, "Sec_Fetch_Mode": mode, "Sec_Fetch_Dest": dest}

    assert ask(preview, "", **headers).status == status


@pytest.mark.parametrize(
    "path",
    ["quiz.yaml", "../quiz.yaml", "..%2fquiz.yaml", "server.py", "preview.js/", "/etc/passwd", "%2e%2e/", "state/"],
)
def test_no_file_is_served(preview: Preview, path: str) -> None:
    assert ask(preview, path).status == 404


def test_it_listens_on_the_loopback_only(preview: Preview) -> None:
    assert preview.server_address[0] == "127.0.0.1"
    assert len(preview.token) >= 20
    assert preview.url == f"http://127.0.0.1:{preview.server_port}/{preview.token}/"


def test_no_folder_of_the_machine_is_named(preview: Preview, quiz: Path, save: Callable[..., None]) -> None:
    first = state(preview)
    save("items:\n", "guides: [nowhere]\nitems:\n")
    found = state(preview, first["version"])

    assert found["problems"][0]["hint"] == "there is no nowhere/guide.en.md"
    assert str(quiz.parents[2]) not in json.dumps(found)


def test_who_asks_for_news_hears_of_a_save(preview: Preview, save: Callable[..., None]) -> None:
    first = state(preview)
    save("One thing", "Another thing")
    second = state(preview, first["version"])

    assert second["version"] == first["version"] + 1
    assert "Another thing" in json.dumps(second["sections"][0]["mounts"]["en"])


@pytest.mark.parametrize("after", ["", "x", "-1", "%D9%A3", "9" * 5000])
def test_who_asks_without_a_version_gets_the_newest(preview: Preview, after: str) -> None:
    assert ask(preview, f"state?after={after}").status == 200


def test_without_news_the_page_asks_again(preview: Preview, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "PATIENCE", 0.2)
    version = state(preview)["version"]

    answer = ask(preview, f"state?after={version}")

    assert (answer.status, answer.read()) == (204, b"")


def test_who_waits_is_let_go_at_the_end(preview: Preview) -> None:
    version = state(preview)["version"]
    preview.watcher.end()

    assert ask(preview, f"state?after={version}").status == 410
