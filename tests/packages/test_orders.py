"""Orders of versions, by the examples of each ecosystem's own documentation and tests."""

from itertools import combinations

import pytest

from mergegate.packages.orders import (
    composer_key,
    conan_key,
    gem_key,
    major_line,
    maven_key,
    newest_of_line,
    nuget_key,
    pub_key,
)
from mergegate.packages.versions import Incomparable, Order

RISING: dict[str, tuple[Order, str]] = {
    # The documentation of Gem::Version, "How Software Changes" and its tests of <=>.
    "RubyGems": (
        gem_key,
        ("0.beta.1 0.0.1 1.0.0.a 1.0.0.a.2 1.0.0.b1 1.0.0-1 1.0.0.rc1 1.0.0 1.0.0.1 1.8.2.a "
        "1.8.2.a9 1.8.2.a10 1.8.2.b 1.8.2 1.9 1.10 2.0"),
    ),
    # The stabilities of Composer's schema, and composer/semver's comparisons.
    "Packagist": (
        composer_key,
        ("1.0.0-dev 1.0.0-alpha1 1.0.0-alpha.2 1.0-beta 1.0.0-beta.2-dev 1.0.0-beta2 1.0.0-beta11 "
        "1.0.0-RC1 v1.0.0 1.0.0-patch1 1.0.0-pl2 1.0.0.1 1.0.1 1.10 20100102"),
    ),
    # Maven's ComparableVersionTest: VERSIONS_QUALIFIER.
    "Maven qualifiers": (
        maven_key,
        ("1-alpha2snapshot 1-alpha2 1-alpha-123 1-beta-2 1-beta123 1-m2 1-m11 1-rc 1-cr2 1-rc123 "
        "1-SNAPSHOT 1 1-sp 1-sp2 1-sp123 1-abc 1-def 1-pom-1 1-1-snapshot 1-1 1-2 1-123"),
    ),
    # VERSIONS_NUMBER of the same.
    "Maven numbers": (
        maven_key,
        ("2.0 2.0.a 2-1 2.0.2 2.0.123 2.1.0 2.1-a 2.1b 2.1-c 2.1-1 2.1.0.1 2.2 2.123 11.a2 "
        "11.a11 11.b2 11.b11 11.m2 11.m11 11 11.a 11b 11c 11m"),
    ),
    # The versions of libraries that many build on.
    "Maven in use": (
        maven_key,
        "2.0-beta9 2.0-rc1 2.0 2.9.10 2.9.10.8 2.13.0-rc1 2.13.0 2.13.4.1 2.13.4.2 2.13.5 31.1-jre",
    ),
    # NuGet's "Package versioning", and its NuGetVersion tests.
    "NuGet": (
        nuget_key,
        ("0.0.0-alpha 0.0.0 1.0.0-Alpha 1.0.0-beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0 "
        "1.0.0.1 1.0.1 1.0.1.2 2 10.0"),
    ),
    # pub_semver's tests of Version.compareTo.
    "Pub": (
        pub_key,
        ("1.0.0-alpha 1.0.0-alpha.1 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0-rc.1+build.1 1.0.0 "
        "1.0.0+0.3.7 1.3.7+build 1.3.7+build.2.b8f12d7 1.3.7+build.11.e0f985a 2.0.0"),
    ),
    # Conan's documentation of versions, and OpenSSL's.
    "ConanCenter": (conan_key, "1.0-alpha 1.0 1.1.1 1.1.1q 1.1.1w 1.2 1.2.11 1.10 3.0.0"),
}  # fmt: skip
SAME = [
    (gem_key, "1.0", "1"),
    (gem_key, "1.0.a", "1.a"),
    (composer_key, "v1.0", "1.0.0.0"),
    (composer_key, "1.0.0-b3", "1.0.0-beta3"),
    (composer_key, "1.0.0+build", "1.0.0-stable"),
    (maven_key, "1", "1.0.0"),
    (maven_key, "1-ga", "1.RELEASE"),
    (maven_key, "1a1", "1-alpha-1"),
    (maven_key, "1.0.0-foo.0.0", "1-foo"),
    (nuget_key, "1.0", "1.0.0.0"),
    (nuget_key, "1.0.0-RC+one", "1.0.0-rc+other"),
    (conan_key, "1.2.0", "1.2"),
]
NONE = ["", "latest", "dev-main", "1.0.0 || 2.0.0", "9" * 300, "^1.0", "${version}", "١.٢"]


@pytest.mark.parametrize("ecosystem", RISING)
def test_versions_rise_as_the_ecosystem_s_own_examples_do(ecosystem: str) -> None:
    order, versions = RISING[ecosystem]
    for low, high in combinations(versions.split(), 2):
        assert order(low) < order(high), (low, high)
        assert not order(high) < order(low), (low, high)


@pytest.mark.parametrize(("order", "one", "other"), SAME)
def test_two_spellings_are_one_version(order: Order, one: str, other: str) -> None:
    assert order(one) == order(other)
    assert hash(order(one)) == hash(order(other))


@pytest.mark.parametrize("order", [gem_key, composer_key, maven_key, nuget_key, pub_key, conan_key])
@pytest.mark.parametrize("text", NONE)
def test_what_is_no_version_is_refused(order: Order, text: str) -> None:
    with pytest.raises(Incomparable):
        order(text)


def test_a_line_is_the_first_number() -> None:
    assert [major_line(one) for one in ("1.2", "v10.0.0-rc1")] == [1, 10]
    with pytest.raises(Incomparable):
        major_line("cci.2021")


def test_a_tag_that_moves_on_means_the_newest_release_of_its_line() -> None:
    meant = [newest_of_line(one) for one in ("v4", "v4.1", "v4.1.7", "main")]
    assert meant == ["4.1000000000.1000000000", "4.1.1000000000", "v4.1.7", "main"]
