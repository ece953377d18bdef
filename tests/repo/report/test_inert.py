"""The tests' own eye: what it must see before its silence means anything."""

import pytest

from tests.repo.report.inert import harm


@pytest.mark.parametrize(
    "page",
    [
        "thanks @acme/security",
        "closes #1",
        "see https://evil.example.org now",
        "![x](https://evil.example.org/x.png)",
        "[x](javascript:alert(1))",
        "<details><summary>by @dana</summary>\n\n</details>",
        "<details><summary>open</summary>\n\ntext",
        "<img src=x>",
        "<b onclick=x>text</b>",
        "text\n\n/approve\n",
        "<!-- something else -->",
    ],
)
def test_what_a_forge_would_act_on_is_seen(page: str) -> None:
    assert harm(page)


def test_what_is_inert_is_let_be() -> None:
    page = "<details><summary><b>High</b> <code>@x</code> a</summary>\n\n`#1` [a](https://b.example)\n\n</details>\n"
    assert harm(page) == []
