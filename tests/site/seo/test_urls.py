"""When two addresses are one."""

import pytest

from mergegate.site.seo.urls import alike, is_web, plain, same, site

SAME = (
    ("https://example.org", "https://example.org/"),
    ("https://EXAMPLE.org:443/a", "https://example.org/a#b"),
    ("http://example.org:80/a?b=c", "http://example.org/a?b=c"),
)
ONLY_ALIKE = (
    ("http://example.org/a", "https://www.example.org/a/"),
    ("https://example.org/a?b=c", "https://example.org/a"),
    ("https://example.org/index.html", "https://example.org/"),
    ("https://example.org/de/index.php", "https://example.org/de"),
)
APART = (
    ("https://example.org/a", "https://example.org/A"),
    ("https://example.org/a", "https://example.net/a"),
    ("https://example.org/a", "https://blog.example.org/a"),
    ("https://example.org/my-index.html", "https://example.org/my-"),
    ("https://example.org:8080/", "https://example.org/"),
)


@pytest.mark.parametrize(("one", "other"), SAME)
def test_these_are_one_document(one: str, other: str) -> None:
    assert same(one, other)
    assert alike(one, other)


@pytest.mark.parametrize(("one", "other"), ONLY_ALIKE)
def test_these_are_alike_and_not_the_same(one: str, other: str) -> None:
    assert alike(one, other)
    assert not same(one, other)


@pytest.mark.parametrize(("one", "other"), APART)
def test_these_are_apart(one: str, other: str) -> None:
    assert not alike(one, other)


@pytest.mark.parametrize("broken", ["http://[", "", "mailto:a@example.org", "javascript:x", "/a"])
def test_what_is_no_address_of_the_web_breaks_nothing(broken: str) -> None:
    assert not is_web(broken)
    assert (plain(broken), site(broken)) == (broken, "")
