"""Servers that mean harm: nothing of theirs hangs, grows or raises."""

import gzip
import socket
import threading
from dataclasses import replace

import pytest

from mergegate.site.browser_test.facts import LinkState
from tests.site.links.places import QUICK, Say, check, place, raw

BOMB = gzip.compress(b"<p>" * 5_000_000, 1)
# A link that is alive must be found so on a busy machine, too.
PATIENT = replace(QUICK, head_s=3, answer_s=6)
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


@raw
def _endless_body(connection: socket.socket) -> None:
    connection.sendall(HEAD + b"\r\n")
    while True:
        connection.sendall(b"<p>" * 20_000)


@raw
def _endless_chunks(connection: socket.socket) -> None:
    connection.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
    while True:
        connection.sendall(b"1\r\nx\r\n" * 5_000)


@raw
def _slow_drip(connection: socket.socket) -> None:
    connection.sendall(HEAD + b"Content-Length: 9999\r\n\r\n")
    while not threading.Event().wait(0.05):
        connection.sendall(b"x")


@raw
def _breaks_off(connection: socket.socket) -> None:
    connection.sendall(HEAD + b"Content-Length: 9999\r\n\r\n<p>")


@raw
def _endless_head(connection: socket.socket) -> None:
    connection.sendall(HEAD)
    while True:
        connection.sendall(b"X-More: " + b"x" * 900 + b"\r\n")


@raw
def _dripping_head(connection: socket.socket) -> None:
    connection.sendall(HEAD)
    while not threading.Event().wait(0.05):
        connection.sendall(b"X: y\r\n")


@raw
def _endless_hints(connection: socket.socket) -> None:
    while True:
        connection.sendall(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" * 100)


@raw
def _two_lengths(connection: socket.socket) -> None:
    connection.sendall(HEAD + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx")


@raw
def _negative_length(connection: socket.socket) -> None:
    connection.sendall(HEAD + b"Content-Length: -1\r\n\r\nxx")


@pytest.mark.parametrize(
    ("serve", "states"),
    [
        (_endless_body, {LinkState.ALIVE}),
        (_endless_chunks, {LinkState.ALIVE}),
        (_slow_drip, {LinkState.ALIVE}),
        (_breaks_off, {LinkState.ALIVE}),
        (_endless_head, {LinkState.FLAKY}),
        (_dripping_head, {LinkState.FLAKY}),
        (_endless_hints, {LinkState.FLAKY}),
        (_two_lengths, {LinkState.FLAKY}),
        (_negative_length, {LinkState.FLAKY}),
    ],
)
def test_a_hostile_answer_ends(serve: object, states: set[LinkState]) -> None:
    bounds = PATIENT if LinkState.ALIVE in states else QUICK
    with place(**{"/x": serve, "/y": Say()}) as own:
        found = check(own, [own.at("/x"), own.at("/y")], bounds=bounds)
        assert found[own.at("/x")].state in states
        assert found[own.at("/y")].state is LinkState.ALIVE


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd", "gzip, gzip", "nonsense"])
def test_a_bomb_is_not_unpacked(coding: str) -> None:
    headers = [("Content-Type", "text/html"), ("Content-Encoding", coding)]
    with place(**{"/x": Say(200, BOMB, headers)}) as own:
        answer = check(own, [own.at("/x#a")])[own.at("/x#a")]
        assert answer.state is LinkState.UNCHECKED


def test_a_packed_page_is_read() -> None:
    page = gzip.compress(b"<p id=a>x</p>")
    headers = [("Content-Type", "text/html"), ("Content-Encoding", "gzip")]
    with place(**{"/x": Say(200, page, headers)}) as own:
        found = check(own, [own.at("/x#a"), own.at("/x#b")])
        assert [one.state for one in found.values()] == [LinkState.ALIVE, LinkState.DEAD]


@pytest.mark.parametrize(
    "charset", ["utf-7", "punycode", "zip", "idna", "unicode_escape", "x" * 99]
)
def test_a_strange_encoding_is_read_as_text(charset: str) -> None:
    headers = [("Content-Type", f"text/html; charset={charset}")]
    with place(**{"/x": Say(200, b"<p id=a>" + b"\xff-" * 100_000, headers)}) as own:
        assert check(own, [own.at("/x#a")])[own.at("/x#a")].state is LinkState.ALIVE


def test_an_old_encoding_is_understood() -> None:
    body = "<title>Страница не найдена</title>".encode("windows-1251")
    headers = [("Content-Type", "text/html; charset=windows-1251")]
    with place(**{"/x": Say(200, body, headers)}) as own:
        assert check(own, [own.at("/x")])[own.at("/x")].state is LinkState.SOFT_404


def test_a_site_that_speaks_like_the_way_out_is_a_site() -> None:
    words = "Not let through: \x1b[31mevil\x07 words.\n"
    claim = [("Content-Type", "text/plain"), ("Mergegate-Refusal", "forbidden; evil words")]
    with place(**{"/x": Say(403, words, claim), "/y": Say()}) as own:
        found = check(own, [own.at("/x"), own.at("/y")])
        assert [one.state for one in found.values()] == [LinkState.BLOCKED, LinkState.ALIVE]
        assert found[own.at("/x")].reason == "it turns robots away, or wants a login"
