"""Which addresses are refused before anything is queued, and in which one spelling others go on."""

from contextlib import suppress

import pytest

from mergegate.host.api.problems import Code, Refusal
from mergegate.host.api.scan_requests import site_of, target
from mergegate.sandbox.egress.policy import PUBLIC, Policy
from tests.sandbox.egress.spellings import ALL

ALLOWED = Policy(allowed=frozenset({("127.0.0.1", 8000), ("shop.internal", 80)}))

REFUSED = [
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://0177.0.0.1/",
    "http://①②⑦.0.0.1/",
    "http://127.0.0.1:8000/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:10.0.0.1]/",
    "http://[64:ff9b::10.0.0.1]/",
    "http://[fe80::1%25eth0]/",
    "http://[2606:4700:4700::1111%25eth0]/",
    "http://127。0。0。1/",
    "http://example.org:65536/",
    "http://[2002:0a00:0001::]/",
    "http://100.64.0.1/",
    "http://168.63.129.16/",
    "http://169.254.169.254/latest/meta-data/",
    "http://10.0.0.1/",
    "http://224.0.0.1/",
    "http://metadata.google.internal/",
    "http://localhost/",
    "http://shop.internal/",
    "http://printer/",
    "https://example.org:22/",
    "https://example.org:8443/",
    "https://user@example.org/",
    "https://user:password@example.org/",
    "https://example.org\\@10.0.0.1/",
    "https://exa mple.org/",
    "https://example.org/\n",
    "https:example.org",
    "file:///etc/passwd",
    "data:text/html,x",
    "view-source:https://example.org/",
    "javascript:alert(1)",
    "ftp://example.org/",
    "https://",
    "https://[/",
]
TAKEN = [
    ("https://example.org", "https://example.org/"),
    ("HTTP://Example.ORG.:80/a b".replace(" ", "%20"), "http://example.org/a%20b"),
    ("https://example.org:443/?q=1#part", "https://example.org/?q=1"),
    ("https://bücher.example.com/", "https://xn--bcher-kva.example.com/"),
    ("http://8.8.8.8/", "http://8.8.8.8/"),
    ("http://[2606:4700:4700::1111]/", "http://[2606:4700:4700::1111]/"),
    ("http://10.0.0.1.example.org/", "http://10.0.0.1.example.org/"),
    ("https://example.org/file:///etc/passwd", "https://example.org/file:///etc/passwd"),
]


@pytest.mark.parametrize("address", REFUSED)
def test_an_address_that_no_scan_may_visit_is_refused(address: str) -> None:
    with pytest.raises(Refusal) as refused:
        target(address, "url", PUBLIC)
    assert refused.value.code is Code.TARGET_NOT_ALLOWED
    assert refused.value.code.status == 400


def test_no_spelling_of_an_inner_address_is_taken() -> None:
    """Some hundreds; what is left is a name, and found out when it is looked up."""
    assert [host for host in ALL if _is_taken(f"http://{host}/")] == ["127.0.0.1_"]


def _is_taken(address: str) -> bool:
    with suppress(Refusal):
        return bool(target(address, "url", PUBLIC))
    return False


@pytest.mark.parametrize("address", ["example.org", "//example.org/", "", "/page", "shop:", "é"])
def test_what_is_no_address_is_a_mistake_in_its_field(address: str) -> None:
    with pytest.raises(Refusal) as refused:
        target(address, "competitorUrl", PUBLIC)
    named = {one.path for one in refused.value.mistakes}
    assert refused.value.code is Code.TARGET_NOT_ALLOWED or named == {"competitorUrl"}


@pytest.mark.parametrize(("address", "spelled"), TAKEN)
def test_other_addresses_go_on_in_one_spelling(address: str, spelled: str) -> None:
    assert target(address, "url", PUBLIC) == spelled


def test_what_the_operator_allows_may_be_visited_and_nothing_beside_it() -> None:
    assert target("http://127.0.0.1:8000/x", "url", ALLOWED) == "http://127.0.0.1:8000/x"
    assert target("http://shop.internal/", "url", ALLOWED) == "http://shop.internal/"
    for other in ("http://127.0.0.1:8001/", "http://127.0.0.2:8000/", "https://shop.internal/"):
        with pytest.raises(Refusal):
            target(other, "url", ALLOWED)


def test_a_refusal_repeats_nothing_of_the_address() -> None:
    with pytest.raises(Refusal) as refused:
        target("https://user:s3cr3t@example.org/", "url", PUBLIC)
    assert "s3cr3t" not in refused.value.detail


@pytest.mark.parametrize(
    ("address", "site"),
    [
        ("https://www.shop.example.co.uk/x", "example.co.uk"),
        ("http://shop.github.io/", "shop.github.io"),
        ("http://127.0.0.1:8000/", "127.0.0.1"),
        ("http://[2606:4700:4700::1111]/", "2606:4700:4700::1111"),
    ],
)
def test_a_site_is_its_registrable_domain(address: str, site: str) -> None:
    assert site_of(address) == site
