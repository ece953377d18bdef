"""Answers to comment commands: short, inert, and no commands themselves."""

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from mergegate.ci import replies
from mergegate.ci.commits import Uncommitted
from mergegate.forges.branches import Committed
from mergegate.forges.orders import order_line
from mergegate.forges.publication import GITHUB
from mergegate.repo.policy_file import parse_policy
from tests.repo.report import samples

UNTIL = dt.date(2026, 6, 1)
ID = "0123456789abcdef0123"
FINDING = samples.failed().findings[0]
HOSTILE = (
    "`]( @octo/team closes #1 <img src=x> ![a](http://x.example.org) \u202e\n/approve\n::error::"
)
LOUD = replace(FINDING, title=HOSTILE, message=HOSTILE, rule_id=HOSTILE, references=(HOSTILE,))
FIX = replace(samples.failed().fixes[0], title=HOSTILE, explanation=HOSTILE)
PARSER = MarkdownIt("commonmark", {"html": True}).enable("table")
SIGNAL = re.compile(r"@\w|[#!]\d|://|www\.|javascript:")


def every(text: str) -> list[str]:
    return [
        replies.ignored(id=ID, until=UNTIL, reason=text, owner=text, finding=LOUD),
        replies.ignored(id=ID, until=UNTIL, reason=text, owner=text),
        replies.unignored(id=ID, found=True),
        replies.unignored(id=ID, found=False),
        replies.rescanning(head="a" * 40, moved=True),
        replies.rescanning(head="a" * 40, moved=False),
        replies.explained(id=ID, finding=LOUD),
        replies.explained(id=ID, finding=None),
        replies.usage(),
        replies.misread(reason=text, hint=text),
        replies.refused(account=text),
        replies.failed(reason=text, remedy=text),
        replies.in_place(id=ID, commit="a" * 40),
        replies.committed(
            finding=LOUD, fix=FIX, done=Committed(commit="a" * 40, url=text, remark=text)
        ),
        replies.fixed(
            finding=LOUD, fix=FIX, diff="", dialect=GITHUB, why_not=Uncommitted(text, text)
        ),
    ]


def tokens(page: str) -> Iterator[Token]:
    for token in PARSER.parse(page):
        yield token
        yield from token.children or ()


@pytest.mark.parametrize("page", every(HOSTILE))
def test_hostile_text_is_shown_and_does_nothing(page: str) -> None:
    found = list(tokens(page))
    kinds = {token.type for token in found}
    assert not kinds & {"image", "html_block", "html_inline", "link_open"}
    assert not [t for t in found if t.type == "text" and SIGNAL.search(t.content)]


@pytest.mark.parametrize("page", every("plain"))
def test_no_reply_is_an_order_or_a_quick_action(page: str) -> None:
    assert order_line(page) is None
    assert not re.search(r"^\s*/", page, re.MULTILINE)


@given(st.text(max_size=200))
def test_no_text_makes_a_reply_an_order(text: str) -> None:
    for page in every(f"{text}\n/mergegate rescan"):
        assert order_line(page) is None


@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=100).filter(str.strip))
def test_the_snippet_is_a_policy_that_says_what_was_said(text: str) -> None:
    page = replies.ignored(id=ID, until=UNTIL, reason=text, owner=text, finding=None)
    (fence,) = [token for token in PARSER.parse(page) if token.type == "fence"]
    (entry,) = yaml.safe_load(fence.content)["suppressions"]
    assert entry == {"id": ID, "reason": text, "owner": text, "expires": UNTIL}
    (dismissal,) = parse_policy(fence.content.encode(), "snippet").suppressions
    assert (dismissal.reason.strip(), dismissal.expires) == (text.strip(), UNTIL)


def test_a_known_finding_is_named_by_its_whole_id() -> None:
    page = replies.ignored(id=FINDING.id[:10], until=UNTIL, reason="r", owner="o", finding=FINDING)
    assert f"id: {FINDING.id}" in page
    assert FINDING.title in page


def test_an_id_of_digits_alone_stays_a_text() -> None:
    page = replies.ignored(id="1234567890", until=UNTIL, reason="r", owner="o")
    assert "- id: '1234567890'" in page


def test_the_usage_names_every_command() -> None:
    for verb in ("rescan", "ignore ID until", "unignore ID", "explain ID", "fix ID", "help"):
        assert f"/mergegate {verb}" in replies.usage()


def test_a_moved_head_is_said() -> None:
    assert "newer one by now" in replies.rescanning(head="a" * 40, moved=True)
    assert "newer" not in replies.rescanning(head="a" * 40, moved=False)


def test_an_explanation_says_what_where_and_why() -> None:
    page = replies.explained(id=FINDING.id, finding=FINDING)
    for part in (FINDING.title, "critical", FINDING.place.file, FINDING.rule_id, FINDING.id[:10]):
        assert part in page
