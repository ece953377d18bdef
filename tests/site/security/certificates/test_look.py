"""What real handshakes tell of a server, through the real way out."""

import contextlib
import socket
import ssl
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.egress.server import egress
from mergegate.site.security import certificates
from mergegate.site.security.certificates import tls_facts
from mergegate.site.security.facts import TlsFacts
from tests.site.security.certificates.servers import (
    HOST,
    NOW,
    Shown,
    handshakes,
    issued,
    rsa_key,
    serving,
    trusting,
)


def look(context: ssl.SSLContext, *roots: Shown, host: str = HOST) -> TlsFacts:
    with handshakes(context) as port:
        return ask(port, *roots, host=host)


def ask(port: int, *roots: Shown, host: str = HOST) -> TlsFacts:
    policy = Policy(allowed=frozenset({(host, port)}))
    trust: Callable[[], ssl.SSLContext] = lambda: trusting(*roots)  # noqa: E731
    with egress(policy, lookup=lambda _: ("127.0.0.1",)) as way:
        facts = tls_facts(host, port, way.url, NOW, trust)
    assert way.faults == ()
    return facts


def test_a_good_server_is_read_as_it_stands(tmp_path: Path) -> None:
    root = issued("Root", ca=True, days=3650)
    middle = issued("Middle", by=root, ca=True, days=1000)
    own = issued(HOST, "*.example.org", by=middle, days=90.5)
    facts = look(serving(own, tmp_path, [middle]), root)
    assert [one.subject for one in facts.chain] == [f"CN={HOST}", "CN=Middle"]
    first = facts.chain[0]
    assert (first.issuer, first.names) == ("CN=Middle", (HOST, "*.example.org"))
    assert (first.key, first.signature) == ("EC secp256r1", "sha256")
    assert (facts.trusted, facts.name_matches, facts.days_left) == (True, True, 90)
    assert (facts.protocol, facts.failure) == ("TLSv1.3", "")
    assert {"TLSv1.2", "TLSv1.3"} <= set(facts.accepts)


def test_an_expired_certificate_is_read_all_the_same(tmp_path: Path) -> None:
    root = issued("Root", ca=True)
    own = issued(HOST, by=root, days=-2.5, since_days=30)
    facts = look(serving(own, tmp_path), root)
    assert (facts.trusted, facts.days_left) == (False, -3)
    assert facts.trust_error == "it has expired"


def test_who_vouches_for_itself_is_not_trusted(tmp_path: Path) -> None:
    facts = look(serving(issued(HOST), tmp_path), issued("Another root", ca=True))
    assert (facts.trusted, facts.trust_error) == (False, "it vouches for itself")
    assert facts.name_matches


def test_a_certificate_that_is_left_out_of_the_chain_is_told(tmp_path: Path) -> None:
    root = issued("Root", ca=True)
    middle = issued("Middle", by=root, ca=True)
    facts = look(serving(issued(HOST, by=middle), tmp_path), root)
    assert facts.trusted is False
    assert "leaves out a certificate" in facts.trust_error


def test_another_host_is_no_matter_of_trust(tmp_path: Path) -> None:
    own = issued("other.example.org", ca=True)
    facts = look(serving(own, tmp_path), own)
    assert (facts.trusted, facts.name_matches) == (True, False)


def test_an_address_is_looked_for_among_the_addresses(tmp_path: Path) -> None:
    own = issued("127.0.0.1", ca=True)
    facts = look(serving(own, tmp_path), own, host="127.0.0.1")
    assert (facts.trusted, facts.name_matches) == (True, True)


@pytest.mark.skipif(
    not certificates.speaks("TLSv1"), reason="NOT CHECKED: this OpenSSL left TLS 1.0 out"
)
def test_old_versions_are_found_where_they_are_spoken(tmp_path: Path) -> None:
    own = issued(HOST, key=rsa_key(2048))
    context = serving(own, tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        context.minimum_version = ssl.TLSVersion.TLSv1
        context.maximum_version = ssl.TLSVersion.TLSv1_2
    facts = look(context, own)
    assert facts.accepts == ("TLSv1", "TLSv1.1", "TLSv1.2")
    assert facts.protocol == "TLSv1.2"


def test_a_modern_server_accepts_nothing_weak(tmp_path: Path) -> None:
    own = issued(HOST, key=rsa_key(2048))
    context = serving(own, tmp_path)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers("ECDHE+AESGCM:ECDHE+CHACHA20")
    facts = look(context, own)
    assert facts.accepts == ("TLSv1.2", "TLSv1.3")
    assert facts.weak_ciphers == ()


@pytest.mark.parametrize(("ciphers", "weak"), [("kRSA", "AES"), ("eNULL", "NULL"), ("aNULL", "A")])
def test_weak_ciphers_are_found_by_offering_nothing_else(
    ciphers: str, weak: str, tmp_path: Path
) -> None:
    own = issued(HOST, key=rsa_key(2048))
    context = serving(own, tmp_path)
    context.set_ciphers(f"{ciphers}:@SECLEVEL=0")
    facts = look(context, own)
    assert any(weak in cipher for cipher in facts.weak_ciphers)


def test_a_version_that_this_machine_cannot_speak_is_untested(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(certificates, "speaks", lambda name: name != "TLSv1.1")
    own = issued(HOST, key=rsa_key(2048))
    facts = look(serving(own, tmp_path), own)
    assert facts.untested == ("TLSv1.1",)
    assert "TLSv1.1" not in facts.accepts


def test_a_short_key_is_read(tmp_path: Path) -> None:
    own = issued(HOST, key=rsa_key(1024))
    assert look(serving(own, tmp_path), own).chain[0].key == "RSA 1024"


def test_a_server_without_tls_fails() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        listener.close()
        facts = ask(port)
    assert (facts.failure, facts.chain) == ("the host cannot be reached", ())


def test_a_host_that_is_not_allowed_is_not_dialled(tmp_path: Path) -> None:
    with handshakes(serving(issued(HOST), tmp_path)) as port, egress(Policy()) as way:
        facts = tls_facts("127.0.0.1", port, way.url, NOW)
    assert facts.failure == "a scan may not go there"


def test_a_server_that_hangs_costs_no_more_than_the_time_given() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener, _allowed(listener) as way:
        facts = tls_facts("127.0.0.1", listener.getsockname()[1], way, NOW, seconds=0.3)
    assert facts.failure == "it does not answer in time"


def test_what_is_not_answered_in_time_is_not_found_out(tmp_path: Path) -> None:
    """It greets once, and then takes no more than the connection."""
    own = issued("127.0.0.1", key=rsa_key(2048))
    with socket.create_server(("127.0.0.1", 0)) as listener, _allowed(listener) as way:
        greet = threading.Thread(target=_greet_once, args=(listener, serving(own, tmp_path)))
        greet.start()
        facts = tls_facts("127.0.0.1", listener.getsockname()[1], way, NOW, seconds=1.0)
        greet.join()
    assert (facts.protocol, facts.trusted, facts.failure) == ("TLSv1.3", None, "")
    assert facts.accepts == ("TLSv1.3",)
    assert {"TLSv1", "TLSv1.1", "TLSv1.2"} == set(facts.untested)
    assert facts.weak_ciphers == ()


@contextlib.contextmanager
def _allowed(listener: socket.socket) -> Iterator[str]:
    """The address of a way out that leads there."""
    policy = Policy(allowed=frozenset({("127.0.0.1", listener.getsockname()[1])}))
    with egress(policy) as way:
        yield way.url


def _greet_once(listener: socket.socket, context: ssl.SSLContext) -> None:
    line, _ = listener.accept()
    with context.wrap_socket(line, server_side=True) as secured, contextlib.suppress(OSError):
        secured.recv(1)
