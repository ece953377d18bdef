"""Secrets that a site puts in places that visitors do not see."""

import pytest

from mergegate.site.security.checks.flaw import flaw, header_patch, shown
from tests.site.security.checks.test_flaw import RULE

KEY = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"PHP/8.1 {KEY}", "PHP/8.1 ghp_********"),
        (f"/reset/{JWT}?a", "/reset/eyJ********?a"),
        (f"sk_live_{'a1' * 12}", "sk_live_********"),
        (f"glpat-{'a1' * 10} b", "glpat-******** b"),
        ("script-src 'sha256-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefg='", None),
        ("npm_config_a", None),
        ("AKIA", None),
        ("eyJ.eyJ", None),
        ("nginx/1.18.0", None),
    ],
)
def test_keys_become_stars_and_nothing_else_does(text: str, expected: str | None) -> None:
    assert shown(text) == (text if expected is None else expected)


def test_no_part_of_a_flaw_shows_a_key() -> None:
    one = flaw(
        RULE,
        f"https://www.example.org/{KEY}",
        f"It says {KEY}.",
        selector=f"#{KEY}",
        evidence=f"{'a ' * 140}{KEY}",
        patches=(header_patch("X-Header", KEY),),
    )
    assert KEY[:16] not in repr(one)
