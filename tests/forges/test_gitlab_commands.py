"""No text makes GitLab act, whatever version reads it, and what is shown stays the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as some
from markdown_it import MarkdownIt

from mergegate.forges.gitlab.notes import inert
from tests.forges.gitlab_commands import NAMES, commands

OBEYED = [
    "/approve",
    "text\n/merge",
    "text\r\n/merge\r\n",
    "text\n\r/merge",
    "/APPROVE",
    "/label ~bug",
    "<!-- a comment -->\n/close",
    "> quoted\n\n/close",
    "````\n```\n/approve\n````",
    "~~~\n/approve\n~~~",
    "```\n/approve",
    "- item\n\n  ```\n/approve\n  ```",
    "<details>\n\n/approve\n\n</details>",
]


@pytest.mark.parametrize("body", OBEYED)
def test_what_a_gitlab_would_run_is_run_no_more(body: str) -> None:
    assert commands(body), "the table holds only texts that are dangerous as they stand"
    assert not commands(inert(body))


@pytest.mark.parametrize(
    "body",
    [
        "a/merge",
        " /approve is a word here",
        "`/approve`",
        "```\n/usr/bin/env python\n```",
        "```suggestion:-0+0\n// comment\n```",
        "## 3 findings\n\n| a | b |\n|---|---|\n| `/x` | 1 |",
    ],
)
def test_harmless_text_stays_as_it_is(body: str) -> None:
    assert inert(body) == body


def test_prose_looks_the_same() -> None:
    body = "First\n/approve it\n\n/merge"
    markdown = MarkdownIt("commonmark")
    assert markdown.render(inert(body)) == markdown.render(body)


def test_code_keeps_its_block_and_gains_a_blank() -> None:
    assert inert("```sh\n/approve\nls\n```") == "```sh\n /approve\nls\n```"


def test_a_suggestion_with_such_a_line_can_no_longer_be_applied() -> None:
    assert inert("```suggestion:-0+0\n/docs @team\n```") == "```\n /docs @team\n```"


def test_a_fence_inside_a_longer_fence_ends_nothing() -> None:
    body = "````suggestion\n```\n/close\n```\n````\n/close"
    assert inert(body) == "````\n```\n /close\n```\n````\n\\/close"


PIECES = some.sampled_from(
    [
        *(f"/{name}" for name in NAMES[:4]), "/Merge now", "```", "````", "~~~", "```suggestion",
        "`", "``", "text", "", "> ", "- ", "  ", "    ", "<div>", "</div>", ">>>", "\r", "\n", "\n",
        "\n", "\n\n", "<!--", "-->", "|", "\\", "\t", "\x0b", "\u2028", "1. ", "# ", "---",
    ]
)  # fmt: skip


@given(some.lists(PIECES, max_size=30))
def test_no_mixture_is_obeyed(pieces: list[str]) -> None:
    assert not commands(inert("".join(pieces)))
