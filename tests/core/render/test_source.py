"""Links to lines at the three forges, and what has none."""

from dataclasses import replace

import pytest

from mergegate.core.finding import Place
from mergegate.core.render import source
from mergegate.core.report import Target
from tests.repo.report.samples import HOSTILE

COMMIT = "4f0c2d9be1a87c3356d0e9f1b2a4c6d8e0f13579"
GITHUB = Target(
    provider="github",
    owner="acme",
    repo="shop",
    commit=COMMIT,
    web="https://github.com/acme/shop",
)
GITLAB = replace(GITHUB, provider="gitlab", web="https://git.example.org/a/b/shop")
BITBUCKET = replace(GITHUB, provider="bitbucket", web="https://bitbucket.org/acme/shop")


@pytest.mark.parametrize(
    ("target", "place", "address"),
    [
        (GITHUB, Place("a.py", 3, 3), f"https://github.com/acme/shop/blob/{COMMIT}/a.py#L3"),
        (GITHUB, Place("a.py", 3, 9), f"https://github.com/acme/shop/blob/{COMMIT}/a.py#L3-L9"),
        (GITHUB, Place("a/b.py"), f"https://github.com/acme/shop/blob/{COMMIT}/a/b.py"),
        (
            GITHUB,
            Place("README.md", 3, 3),
            f"https://github.com/acme/shop/blob/{COMMIT}/README.md?plain=1#L3",
        ),
        (
            replace(GITLAB, web="https://git.example.org:8443/b/shop"),
            Place("a.py", 3, 3),
            f"https://git.example.org:8443/b/shop/-/blob/{COMMIT}/a.py#L3",
        ),
        (
            GITLAB,
            Place("a.py", 3, 9),
            f"https://git.example.org/a/b/shop/-/blob/{COMMIT}/a.py#L3-9",
        ),
        (
            BITBUCKET,
            Place("a.py", 3, 9),
            f"https://bitbucket.org/acme/shop/src/{COMMIT}/a.py#lines-3:9",
        ),
        (
            GITHUB,
            Place("sp ace/[x](y)#?<é>.py", 1, 1),
            (
                f"https://github.com/acme/shop/blob/{COMMIT}"
                "/sp%20ace/%5Bx%5D%28y%29%23%3F%3C%C3%A9%3E.py#L1"
            ),
        ),
    ],
)
def test_place_leads_to_its_lines(target: Target, place: Place, address: str) -> None:
    assert source.link(target, place) == address


@pytest.mark.parametrize(
    ("target", "place"),
    [
        (GITHUB, Place()),
        (GITHUB, Place(HOSTILE, 1, 1)),
        (GITHUB, Place("x" * 600, 1, 1)),
        (replace(GITHUB, web=""), Place("a.py", 1, 1)),
        (replace(GITHUB, commit=None), Place("a.py", 1, 1)),
        (replace(GITHUB, commit="main"), Place("a.py", 1, 1)),
        (replace(GITHUB, provider=None), Place("a.py", 1, 1)),
        (replace(GITHUB, provider="svn"), Place("a.py", 1, 1)),
        (replace(GITHUB, web="https://a.example.org/)![x](https://b"), Place("a.py", 1, 1)),
        (replace(GITHUB, web="javascript:alert(1)"), Place("a.py", 1, 1)),
        (replace(GITHUB, altered=("a.py",)), Place("a.py", 1, 1)),
    ],
)
def test_what_is_not_known_or_not_there_has_no_link(target: Target, place: Place) -> None:
    assert source.link(target, place) == ""


def test_lines_are_those_of_the_change_and_not_of_a_test_merge() -> None:
    merged = replace(GITHUB, commit="0" * 40, head=COMMIT)
    assert f"/blob/{COMMIT}/" in source.link(merged, Place("a.py", 1, 1))


@pytest.mark.parametrize(
    ("host", "names", "address"),
    [
        ("github.com", ("acme", "shop"), "https://github.com/acme/shop"),
        ("git.example.org", ("a/b", "shop"), "https://git.example.org/a/b/shop"),
        ("github.com", ("ac me", "sh)op"), "https://github.com/ac%20me/sh%29op"),
        ("github-work", ("acme", "shop"), ""),
        ("", ("acme", "shop"), ""),
        ("evil.example.org>\n", ("acme", "shop"), ""),
    ],
)
def test_address_of_a_repository(host: str, names: tuple[str, ...], address: str) -> None:
    assert source.web(host, *names) == address
