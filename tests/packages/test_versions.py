"""The order of versions: the specifications' examples, and the laws of an order."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergegate.packages.ecosystems import ECOSYSTEMS
from mergegate.packages.versions import Incomparable, pep440_key, semver_key

RISING = {
    "npm": "1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0-beta.2 1.0.0-beta.11 "
    "1.0.0-rc.1 1.0.0 1.0.1 1.2.0 1.10.0 2.0.0-0 2.0.0",
    "Go": "v0.0.0-20170915032832-14c0d48ead0c v0.0.0-20210226172049-e18ecbb05110 v0.1.0 v1.2.3 "
    "v1.2.4-0.20191109021931-daa7c04131f5 v1.2.4 v2.0.0+incompatible v2.0.1-pre v2.0.1",
    "crates.io": "0.0.0-0 0.0.0 0.6.13 0.6.14 1.0.0-0 1.0.0",
    "PyPI": "1.0.dev1 1.0a1 1.0b2 1.0rc1 1.0 1.0+local 1.0.post1 1.1 2004.6 1!0.1",
}
SAME = [
    ("npm", "1.2.3", "v1.2.3"),
    ("npm", "1.2.3+build.5", "1.2.3+other"),
    ("Go", "v2.0.0", "2.0.0+incompatible"),
    ("Go", "1.20", "1.20.0"),
    ("crates.io", "1.0.0+wasi", "1.0.0"),
    ("PyPI", "1.0", "1.0.0"),
    ("PyPI", "1.0rc1", "1.0.RC-1"),
]
NONSENSE = [
    ("npm", "latest"),
    ("npm", ""),
    ("npm", "1.2.3.4"),
    ("npm", "1.2.x"),
    ("npm", "1.0.0-"),
    ("npm", "1.0.0-a..b"),
    ("Go", "(devel)"),
    ("PyPI", "2004d-x!"),
    ("PyPI", "1." * 200),
    ("npm", "9" * 300),
    ("npm", "١.٢.٣"),
]

numbers = st.integers(min_value=0, max_value=10**12).map(str)
parts = st.one_of(numbers, st.from_regex(r"[0-9A-Za-z-]{1,8}", fullmatch=True))
pre = st.lists(parts, max_size=4).map(lambda p: f"-{'.'.join(p)}" if p else "")
build = st.sampled_from(["", "+build", "+incompatible", "+1.2"])
semvers = st.builds("{}.{}.{}{}{}".format, numbers, numbers, numbers, pre, build)


@pytest.mark.parametrize("ecosystem", RISING)
def test_versions_rise_as_the_specification_says(ecosystem: str) -> None:
    key = ECOSYSTEMS[ecosystem].order
    rising = [key(version) for version in RISING[ecosystem].split()]
    assert all(low < high for low, high in pairwise(rising))


@pytest.mark.parametrize(("ecosystem", "one", "other"), SAME)
def test_two_spellings_are_one_version(ecosystem: str, one: str, other: str) -> None:
    assert ECOSYSTEMS[ecosystem].order(one) == ECOSYSTEMS[ecosystem].order(other)


@pytest.mark.parametrize(("ecosystem", "text"), NONSENSE)
def test_what_is_no_version_is_refused(ecosystem: str, text: str) -> None:
    with pytest.raises(Incomparable):
        ECOSYSTEMS[ecosystem].order(text)


@given(semvers, semvers, semvers)
def test_semver_is_a_total_order(a: str, b: str, c: str) -> None:
    x, y, z = map(semver_key, (a, b, c))
    assert (x < y) + (x == y) + (x > y) == 1
    assert (x < y) == (y > x)
    assert not (x <= y <= z) or x <= z


@given(semvers)
def test_a_prerelease_is_below_its_release_and_above_what_precedes(version: str) -> None:
    release = version.partition("+")[0].partition("-")[0]
    assert semver_key(version) <= semver_key(release)
    first, second, third = map(int, release.split("."))
    assert not third or semver_key(f"{first}.{second}.{third - 1}") < semver_key(version)


@given(semvers, build)
def test_build_metadata_never_counts(version: str, metadata: str) -> None:
    assert semver_key(version) == semver_key(version.partition("+")[0] + metadata)


@given(numbers, numbers)
def test_pep440_orders_numbers_as_numbers(one: str, other: str) -> None:
    assert (pep440_key(f"1.{one}") < pep440_key(f"1.{other}")) == (int(one) < int(other))


@pytest.mark.parametrize(
    ("ecosystem", "one", "other", "expected"),
    [
        ("npm", "1.2.3", "1.9.0", True),
        ("npm", "1.2.3", "2.0.0", False),
        ("npm", "0.2.1", "0.3.0", False),
        ("crates.io", "0.6.13", "0.6.14", True),
        ("Go", "v0.1.0", "v0.2.0", True),
        ("PyPI", "3.2", "3.9", True),
        ("PyPI", "3.2", "4.0", False),
    ],
)
def test_a_small_upgrade_keeps_what_users_build_on(
    ecosystem: str, one: str, other: str, expected: bool
) -> None:
    line = ECOSYSTEMS[ecosystem].line
    assert (line(one) == line(other)) is expected
