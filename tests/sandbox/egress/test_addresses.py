"""The public internet is what our own table says, not what Python's does."""

from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergegate.sandbox.egress.destination import FORBIDDEN, objection

PUBLIC = (
    *("1.1.1.1", "8.8.8.8", "93.184.215.14", "100.63.255.255", "100.128.0.0", "169.253.255.255"),
    *("172.15.255.255", "172.32.0.0", "192.167.255.255", "198.17.255.255", "198.20.0.0"),
    *("223.255.255.255", "9.255.255.255", "11.0.0.0", "126.255.255.255", "128.0.0.0"),
    *("2606:4700::1111", "2a00:1450:4001::200e", "2400::1", "2001:4860:4860::8888", "2003::1"),
    *("64:ff9b::8.8.8.8", "::ffff:8.8.8.8"),
)
NEVER = (
    *("0.0.0.0", "0.255.255.255", "169.254.0.1", "169.254.169.254", "168.63.129.16"),
    *("100.100.100.200", "192.0.0.8", "192.0.0.192", "192.0.2.1", "192.31.196.1", "192.52.193.1"),
    *("192.88.99.1", "192.175.48.1", "198.18.0.0", "198.51.100.9", "203.0.113.9", "224.0.0.1"),
    *("240.0.0.1", "255.255.255.255", "::", "fe80::1", "febf::1", "fec0::1", "ff02::1"),
    *("64:ff9b:1::8.8.8.8", "2002:808:808::1", "2001::1", "2001:2::1", "2001:10::1", "2001:db8::1"),
    *("3fff::1", "3ffe::1", "5f00::1", "100::1", "4000::1", "2620:4f:8000::1", "fd00:ec2::254"),
    *("fd20:ce::254", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::10.0.0.1", "::127.0.0.1"),
    *("64:ff9b::169.254.169.254", "fe80::1%eth0", "2606:4700::1%eth0", "2606:4700::5efe:a00:1"),
    *("2606:4700::200:5efe:10.0.0.1", "::ffff:0:8.8.8.8"),
)
INSIDE = (
    *(
        "127.0.0.1",
        "127.255.255.255",
        "10.0.0.0",
        "10.255.255.255",
        "172.16.0.0",
        "192.168.255.255",
    ),
    *("172.31.255.255", "100.64.0.0", "100.127.255.255", "::1", "fc00::1", "fdff::1"),
)


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_pass(address: str) -> None:
    assert objection(ip_address(address)) == ""


@pytest.mark.parametrize("address", NEVER)
def test_what_is_no_place_for_a_site_never_passes(address: str) -> None:
    assert objection(ip_address(address))
    assert objection(ip_address(address), inside=True)


@pytest.mark.parametrize("address", INSIDE)
def test_an_inner_address_passes_only_where_its_owner_named_it(address: str) -> None:
    assert objection(ip_address(address))
    assert objection(ip_address(address), inside=True) == ""


@given(st.ip_addresses(v=4) | st.ip_addresses(v=6))
def test_whatever_passes_is_global_for_python_too(address: object) -> None:
    found = ip_address(str(address))
    if not objection(found):
        wrapped = getattr(found, "ipv4_mapped", None)
        assert (wrapped or found).is_global
        assert not found.is_multicast


@given(st.ip_addresses(v=4))
def test_a_wrapped_address_is_judged_like_the_one_it_wraps(address: object) -> None:
    plain = objection(ip_address(str(address)))
    assert objection(ip_address(f"::ffff:{address}")) == plain
    assert objection(ip_address(f"64:ff9b::{address}")) == plain


def test_every_entry_of_the_table_forbids_something() -> None:
    for one in FORBIDDEN.values():
        assert one.hosts or one.domains or one.networks, one.id
        assert not one.reason.endswith("."), one.id


@pytest.mark.parametrize("text", ["100.100.100.200", "fd00:ec2::254"])
def test_of_networks_that_overlap_the_smaller_counts(text: str) -> None:
    """A cloud's metadata within what an owner may name."""
    reason = FORBIDDEN["metadata"].reason
    assert objection(ip_address(text), inside=True) == objection(ip_address(text)) == reason
