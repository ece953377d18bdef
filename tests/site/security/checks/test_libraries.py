"""Vulnerable libraries: what is used, and exactly what is found."""

import pytest

from mergegate.core.severity import Severity
from mergegate.site.security.checks import libraries
from mergegate.site.security.facts import LibraryAdvisory, UsedLibrary
from mergegate.site.security.gather.libraries import used
from tests.site.security.checks.seen import facts, told

URL = "https://www.example.org/a.js"


@pytest.mark.parametrize(
    ("library", "expected"),
    [
        (("jquery", "3.7.1"), []),
        (("jquery", "1.8.3"), [("library-vulnerable", "medium")]),
        (("lodash", "4.17.4"), [("library-vulnerable", "high")]),
        (("swagger-ui", "3.20.0"), [("library-vulnerable", "high")]),
        (("nothing known", "1.0.0"), []),
    ],
)
def test_a_library_is(library: tuple[str, str], expected: list[tuple[str, str]]) -> None:
    seen = facts(libraries=(used(library, URL, "content"),))
    assert told(libraries.flaws(seen)) == expected


def _advisory(fixed_in: str, *ids: str) -> LibraryAdvisory:
    return LibraryAdvisory(
        ids=ids, severity=Severity.MEDIUM, summary="It is bad.", fixed_in=fixed_in
    )


@pytest.mark.parametrize(
    ("fixed", "remedy"),
    [
        (["2.0.0"], "Update x to 2.0.0 or newer."),
        (["2.0.0", "10.0.0", "3.1"], "Update x to 10.0.0 or newer."),
        (["2.0.0", "999.999.999"],
         "Update x to 2.0.0 or newer; for some of it no version is mended."),
        (["999.999.999"], "Replace x: no version of it is without this."),
    ],
)  # fmt: skip
def test_the_remedy_names_the_version_that_ends_all(fixed: list[str], remedy: str) -> None:
    library = UsedLibrary(
        name="x", version="1.0.0", url=URL, advisories=tuple(map(_advisory, fixed))
    )
    (flaw,) = libraries.flaws(facts(libraries=(library,)))
    assert flaw.remedy == remedy


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ([[]], "1 known weakness, the worst: It is bad."),
        ([["CVE-1", "GHSA-1"]], "1 known weakness (CVE-1), the worst: It is bad."),
        ([["CVE-1"], ["CVE-1"]], "1 known weakness (CVE-1), the worst: It is bad."),
        ([["CVE-1"], ["CVE-2"], []],
         "3 known weaknesses (CVE-1 and CVE-2), the worst: It is bad."),
        ([[f"CVE-{number}"] for number in range(6)],
         "6 known weaknesses (CVE-0, CVE-1, CVE-2, CVE-3 and 2 more), the worst: It is bad."),
    ],
)  # fmt: skip
def test_the_message_names_the_first_ones(ids: list[list[str]], message: str) -> None:
    known = tuple(_advisory("2.0.0", *one) for one in ids)
    library = UsedLibrary(name="x", version="1.0.0", url=URL, advisories=known)
    (flaw,) = libraries.flaws(facts(libraries=(library,)))
    assert flaw.message == message


def test_a_file_name_is_less_certain_than_content() -> None:
    (named,) = libraries.flaws(facts(libraries=(used(("jquery", "1.8.3"), URL, "file name"),)))
    (held,) = libraries.flaws(facts(libraries=(used(("jquery", "1.8.3"), URL, "content"),)))
    assert named.confidence < held.confidence
    assert named.evidence == "jquery 1.8.3, by its file name"


def test_a_library_that_has_come_to_its_end_is_replaced() -> None:
    (flaw,) = libraries.flaws(facts(libraries=(used(("angularjs", "1.8.3"), URL, "content"),)))
    assert flaw.remedy == "Replace angularjs: no version of it is without this."
