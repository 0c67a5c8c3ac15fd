import pytest

from optmech.reports.studio.guard import HEADERS, Guard, objection
from tests.each import each

PORT, TOKEN = 8123, "abc-123"
OWN = (b"host", b"127.0.0.1:8123")
PAGE = {"type": "http", "path": f"/{TOKEN}/", "headers": [OWN]}


def with_(**changes):
    return {**PAGE, **changes}


@pytest.mark.parametrize(
    "scope",
    [
        PAGE,
        with_(headers=[(b"host", b"LOCALHOST:8123")]),
        with_(headers=[OWN, (b"origin", b"http://127.0.0.1:8123")]),
        with_(type="websocket", headers=[OWN, (b"origin", b"http://localhost:8123")]),
    ],
)
def test_the_page_itself_passes(scope):
    assert objection(scope, PORT, TOKEN) is None


@each(
    ("scope", "status"),
    [
        (with_(headers=[]), 421),
        (with_(headers=[OWN, OWN]), 421),
        (with_(headers=[(b"host", b"evil.example:8123")]), 421),
        (with_(headers=[(b"host", b"127.0.0.1")]), 421),
        (with_(headers=[(b"host", b"127.0.0.1:8124")]), 421),
        (with_(headers=[(b"host", b"127.0.0.1.evil.example:8123")]), 421),
        (with_(headers=[OWN, (b"origin", b"http://evil.example")]), 403),
        (with_(headers=[OWN, (b"origin", b"null")]), 403),
        (with_(headers=[OWN, (b"origin", b"https://127.0.0.1:8123")]), 403),
        (with_(headers=[OWN, (b"origin", b"http://127.0.0.1:8124")]), 403),
        (with_(type="websocket"), 403),
        (with_(path="/"), 404),
        (with_(path=""), 404),
        (with_(path="/abc-12/"), 404),
        (with_(path="/abc-1234/"), 404),
        (with_(path="/ü/"), 404),
        (with_(path=f"//{TOKEN}/"), 404),
        (with_(path=f"/x/{TOKEN}/"), 404),
    ],
)
def test_nobody_else_passes(scope, status):
    assert objection(scope, PORT, TOKEN) == status


def exchanged(play, scope):
    """Return what the guard sends, and the scope that the application behind it sees."""
    sent, requests = [], []

    async def send(message):
        sent.append(message)

    async def application(scope, _, send):
        requests.append(scope)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"x-own", b"1")]})

    play(Guard(application, port=PORT, token=TOKEN)(scope, None, send))
    return sent, requests


def test_what_is_refused_never_reaches_the_application(play):
    sent, requests = exchanged(play, with_(path="/"))
    assert sent[0]["status"] == 404
    assert b"address that the studio printed" in sent[1]["body"]
    assert not requests
    assert exchanged(play, with_(type="websocket"))[0] == [{"type": "websocket.close", "code": 1008}]


def test_what_passes_is_kept_to_itself_and_its_proxy_headers_are_dropped(play):
    sent, requests = exchanged(
        play, with_(headers=[OWN, (b"x-forwarded-prefix", b"/evil"), (b"accept", b"*/*")])
    )
    headers = dict(sent[0]["headers"])
    assert headers[b"x-own"] == b"1"
    assert {name.encode() for name in HEADERS} <= set(headers)
    assert requests[0]["headers"] == [OWN, (b"accept", b"*/*")]


def test_the_entrance_leads_in_once(play):
    async def scene():
        sent = []

        async def send(message):
            sent.append(message)

        async def application(*_):
            raise AssertionError

        guard = Guard(application, port=PORT, token=TOKEN, entrance="door")
        for path in ("/doo", "/door/", "/door/"):
            await guard(with_(path=path), None, send)
        return [(message["status"], dict(message["headers"]).get(b"location")) for message in sent[::2]]

    assert play(scene()) == [(404, None), (303, b"/abc-123/"), (404, None)]


def test_the_entrance_is_guarded_as_the_page():
    evil = with_(path="/door/", headers=[(b"host", b"evil.example:8123")])
    assert objection(evil, PORT, "door") == 421


def test_what_is_no_request_passes(play):
    assert exchanged(play, {"type": "lifespan"})[1] == [{"type": "lifespan"}]
