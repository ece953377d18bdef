"""TLS: which certificate is wrong in which way, and looking at what stands behind it."""

import ssl

import pytest

from tests.sandbox.web.servers import Say, served_with, site, trust, web_of


def test_a_trusted_site_is_read_over_a_tunnel() -> None:
    with site({"/": Say()}, served_with()) as there, web_of(there, trust=trust()) as web:
        found = web.get(there.at())
        assert (found.status, found.text, found.failure) == (200, "hello", "")


@pytest.mark.parametrize(
    ("host", "days", "failure"),
    [
        ("127.0.0.1", -3, "its certificate has expired"),
        ("127.0.0.9", 20, "its certificate names another address"),
        ("other.example", 20, "its certificate names another address"),
    ],
)
def test_a_bad_certificate_is_told_apart(host: str, days: int, failure: str) -> None:
    with site({"/": Say()}, served_with(host, days)) as there, web_of(there, trust=trust()) as web:
        found = web.get(there.at())
        assert (found.failure, found.refused, found.status) == (failure, False, None)
        assert there.asked == []


def test_a_certificate_for_another_host_is_told_apart() -> None:
    names = ("right.example", "wrong.example")
    with (
        site({"/": Say()}, served_with("right.example")) as there,
        web_of(there, trust=trust(), names=names) as web,
    ):
        assert web.get(there.at(host="right.example")).status == 200
        wrong = web.get(there.at(host="wrong.example"))
        assert wrong.failure == "its certificate names another host"


def test_an_authority_that_nobody_knows_is_told_apart() -> None:
    with site({"/": Say()}, served_with()) as there, web_of(there) as web:
        assert web.get(there.at()).failure == "nobody known here vouches for its certificate"


@pytest.mark.parametrize(("host", "days"), [("127.0.0.1", -3), ("other.example", 20)])
def test_an_insecure_client_goes_on_despite_it(host: str, days: int) -> None:
    with site({"/": Say()}, served_with(host, days)) as there, web_of(there, insecure=True) as web:
        assert web.get(there.at()).text == "hello"


def test_a_port_without_tls_has_no_secure_connection() -> None:
    with site({"/": Say()}) as there, web_of(there) as web:
        address = there.at().replace("http:", "https:")
        assert web.get(address).failure == "no secure connection comes about"


def test_the_trust_of_the_caller_is_what_counts() -> None:
    nobody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    with site({"/": Say()}, served_with()) as there, web_of(there, trust=nobody) as web:
        assert web.get(there.at()).failure == "nobody known here vouches for its certificate"
