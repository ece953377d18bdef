"""Comment commands: who may say what, and what it changes."""

import datetime as dt
import json
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from mergegate.core.errors import UsageError
from mergegate.forges.github.hooks import LARGEST_COMMENT_BYTES, Unheard, read_comment
from mergegate.forges.marker import Hiding, State, Waiver, recall, remember
from mergegate.forges.orders import (
    Asked,
    Explain,
    Help,
    Ignore,
    Misread,
    NotAnOrder,
    Order,
    Rescan,
    Ruling,
    ShowFix,
    Unignore,
    decide,
    lift,
    order_line,
    parse,
    standing_waivers,
    waive,
)
from mergegate.forges.ports import Standing
from tests.forges.published_npm import published

TODAY = dt.date(2026, 3, 1)
ID = "0123456789abcdef0123"
IGNORE = Ignore(id=ID, until=dt.date(2026, 6, 1), reason="false alarm")
SAID = f"/mergegate ignore {ID} until 2026-06-01 because false alarm"


# What a comment says


@pytest.mark.parametrize(
    ("body", "order"),
    [
        ("/mergegate rescan", Rescan()),
        ("/mergegate RESCAN  ", Rescan()),
        ("/MergeGate\thelp", Help()),
        ("Please.\r\n\r\n/mergegate help\r\nThanks!", Help()),
        ("/mergegate help\n/mergegate rescan", Help()),
        (SAID, IGNORE),
        (f"/mergegate Ignore {ID.upper()} UNTIL 2026-06-01 Because false alarm", IGNORE),
        (f"/mergegate   ignore\t{ID}  until 2026-06-01  because  false alarm \n", IGNORE),
        (f"/mergegate unignore {ID[:10]}", Unignore(ID[:10])),
        (f"/mergegate explain {ID.upper()}", Explain(ID)),
        (f"/mergegate fix {ID[:10]}", ShowFix(ID[:10])),
        ("> quoted\n\n/mergegate rescan", Rescan()),
        ("```\ncode\n```\n/mergegate rescan", Rescan()),
        ("~~~ text\n```\n~~~~  \n/mergegate rescan", Rescan()),
        ("- a list\n/mergegate rescan", Rescan()),
    ],
)
def test_an_order_is_understood(body: str, order: Order) -> None:
    assert parse(body, TODAY) == order


@pytest.mark.parametrize(
    "body",
    [
        "",
        "Looks good",
        "say /mergegate rescan",
        "/mergegatekeeper rescan",
        "/mergegate-bot rescan",
        " /mergegate rescan",
        "    /mergegate rescan",
        "- /mergegate rescan",
        "> /mergegate rescan",
        "> quoted\n/mergegate rescan",
        "> quoted\n\u00a0\n/mergegate rescan",
        "```\n/mergegate rescan\n```",
        "````\n```\n/mergegate rescan",
        "~~~\n```\n/mergegate rescan\n~~~",
        "```\n```not closed\n/mergegate rescan",
        "- ```\n  ```\n```\n/mergegate rescan",
        "<!--\n/mergegate rescan\n-->",
        "<!--\n\n/mergegate rescan\n-->",
        "<pre>\n\n/mergegate rescan\n</pre>",
        "<details>\n/mergegate rescan\n</details>",
        '[a]: b "\n/mergegate rescan\n"',
        "x" * 70_000 + "\n/mergegate rescan",
        "text\u2028/mergegate rescan",
        "text\x0b/mergegate rescan",
    ],
)
def test_what_is_quoted_coded_hidden_or_said_to_people_is_no_order(body: str) -> None:
    assert parse(body, TODAY) == NotAnOrder()


@pytest.mark.parametrize(
    ("rest", "mistake"),
    [
        ("", "A command is missing"),
        ("merge", "There is no such command"),
        ("rescan now", "nothing more"),
        ("explain", "first ten characters"),
        ("explain 012345678", "first ten characters"),
        (f"explain {ID} please", "first ten characters"),
        ("explain ٠١٢٣٤٥٦٧٨٩", "first ten characters"),
        (f"explain {'a' * 65}", "first ten characters"),
        ("unignore ../../etc/passwd", "first ten characters"),
        (f"ignore {ID}", "in this order"),
        (f"ignore {ID} because x until 2026-06-01", "in this order"),
        (f"ignore {ID} until 2026-06-01 because", "in this order"),
        (f"ignore {ID} until 2026-06-01 because   ", "in this order"),
        ("ignore nothing-hex until 2026-06-01 because x", "first ten characters"),
        (f"ignore {ID} until 2026-02-30 because x", "no such date"),
        (f"ignore {ID} until tomorrow because x", "no such date"),
        (f"ignore {ID} until 20260601 because x", "no such date"),
        (f"ignore {ID} until ٢٠٢٦-06-01 because x", "no such date"),
        (f"ignore {ID} until 2026-03-01 because x", "in the future"),
        (f"ignore {ID} until 2027-03-03 because x", "a year at most"),
        (f"ignore {ID} until 9999-12-31 because x", "a year at most"),
        (f"ignore {ID} until 2026-06-01 because {'x' * 501}", "500 characters"),
        (f"ignore {ID} until 2026-06-01 because a\u202eb", "cannot be seen"),
        (f"ignore {ID} until 2026-06-01 because a\x1bb", "cannot be seen"),
    ],
)
def test_a_mistake_is_named_with_the_right_form(rest: str, mistake: str) -> None:
    misread = parse(f"/mergegate {rest}", TODAY)
    assert isinstance(misread, Misread)
    assert mistake in misread.reason
    assert misread.hint.startswith("/mergegate ")


@pytest.mark.parametrize("days", [1, 366])
def test_a_year_from_tomorrow_is_open(days: int) -> None:
    until = TODAY + dt.timedelta(days=days)
    said = f"/mergegate ignore {ID} until {until} because {'x' * 500}"
    assert parse(said, TODAY) == Ignore(id=ID, until=until, reason="x" * 500)


LINES = st.lists(
    st.sampled_from(
        [
            *("/mergegate rescan", "text", "", " ", "> q", ">", "- item", "  - deep", "1. one"),
            *("```", "~~~", "````", "  ```", "    ```", "- ```", "> ```", "```js", "`x`"),
            *("<!--", "-->", "<pre>", "</pre>", "<div>", "</div>", "<b>", "<a\n", "<?php", "?>"),
            *("[a]:", '[a]: b "', "'", "    code", "\tcode", "# head", "---", "\u00a0", "| a |"),
        ]
    ),
    max_size=9,
)
MARKDOWN = MarkdownIt("commonmark", {"html": True})


@given(LINES, st.integers(0, 9))
@example(["- ```", "  ```", "```"], 3)
def test_an_order_is_always_plain_text_to_its_readers(lines: list[str], place: int) -> None:
    """Against a whole Markdown parser: no quote, no code, nothing hidden."""
    body = "\n".join([*lines[:place], "/mergegate rescan", *lines[place:]])
    if order_line(body) is None:
        return
    inside = [
        token.type
        for token in MARKDOWN.parse(body)
        if token.map and token.map[0] <= lines_before(body) < token.map[1]
    ]
    assert {"paragraph_open", "heading_open"} & set(inside)
    assert not {"blockquote_open", "fence", "code_block", "html_block"} & set(inside)


def lines_before(body: str) -> int:
    """Where the order stands: the rules skip some, so ask them about ever longer beginnings."""
    whole = body.split("\n")
    return next(at for at in range(len(whole)) if order_line("\n".join(whole[: at + 1])))


@given(st.text(max_size=300) | LINES.map("\n".join))
def test_any_comment_is_understood_or_not(body: str) -> None:
    parse(body, TODAY)
    parse(f"/mergegate {body}", TODAY)
    parse(f"/mergegate ignore {body}", TODAY)


# Who may say it

EVERY: list[Order] = [Rescan(), IGNORE, Unignore(ID), Explain(ID), Help()]


@pytest.mark.parametrize("order", EVERY)
@pytest.mark.parametrize("standing", [Standing.WRITE, Standing.ADMIN])
@pytest.mark.parametrize("insider", [True, False])
def test_whoever_may_write_is_obeyed(order: Order, standing: Standing, insider: bool) -> None:
    assert decide(order, standing, insider=insider) is Ruling.GRANTED


@pytest.mark.parametrize("order", EVERY)
@pytest.mark.parametrize("standing", [Standing.NONE, Standing.READ])
def test_an_outsider_is_not_heard_at_all(order: Order, standing: Standing) -> None:
    assert decide(order, standing, insider=False) is Ruling.UNHEARD


@pytest.mark.parametrize("order", EVERY)
def test_who_has_no_standing_is_not_heard_whatever_the_event_says(order: Order) -> None:
    assert decide(order, Standing.NONE, insider=True) is Ruling.UNHEARD


def test_a_member_who_may_read_gets_explanations_alone() -> None:
    rulings = [decide(order, Standing.READ, insider=True) for order in EVERY]
    assert rulings == [Ruling.REFUSED] * 3 + [Ruling.GRANTED] * 2


# What it changes

STATE = State(head="a" * 40, sequence=3)
OTHER = Waiver(id="f" * 20, reason="known", owner="bob", expires="2026-05-01")


def test_a_dismissal_is_remembered_with_reason_owner_and_end() -> None:
    state = waive(replace(STATE, waivers=(OTHER,)), IGNORE, "alice", TODAY)
    waiver = Waiver(id=ID, reason="false alarm", owner="alice", expires="2026-06-01")
    assert state == replace(STATE, waivers=(OTHER, waiver))
    assert recall(remember(state, Hiding.REFERENCE)) == state


def test_a_second_dismissal_of_a_finding_replaces_the_first() -> None:
    state = waive(STATE, IGNORE, "alice", TODAY)
    again = replace(IGNORE, id=ID[:10], reason="agreed")
    (waiver,) = waive(state, again, "bob", TODAY).waivers
    assert (waiver.id, waiver.reason, waiver.owner) == (ID[:10], "agreed", "bob")


@pytest.mark.parametrize("named", [ID, ID[:10]])
def test_a_dismissal_is_lifted_by_whole_id_or_beginning(named: str) -> None:
    state = waive(replace(STATE, waivers=(OTHER,)), IGNORE, "alice", TODAY)
    assert [one.id for one in lift(state, named)] == [ID]
    assert waive(state, Unignore(named), "bob", TODAY).waivers == (OTHER,)
    assert lift(STATE, named) == ()


@pytest.mark.parametrize("expires", ["2026-03-01", "2020-01-01", "never", ""])
def test_expired_and_damaged_dismissals_go(expires: str) -> None:
    state = replace(STATE, waivers=(replace(OTHER, expires=expires),))
    assert standing_waivers(state, TODAY) == ()
    assert [one.id for one in waive(state, IGNORE, "alice", TODAY).waivers] == [ID]


def test_a_dismissal_holds_until_the_day_before_it_expires() -> None:
    state = replace(STATE, waivers=(OTHER,))
    assert standing_waivers(state, dt.date(2026, 4, 30)) == (OTHER,)
    assert standing_waivers(state, dt.date(2026, 5, 1)) == ()


def test_a_comment_holds_no_more_than_fits() -> None:
    state, taken = STATE, 0
    for number in range(60):
        reason = "".join(chr(0x4E00 + (number * 97 + at * 31) % 20_000) for at in range(500))
        order = replace(IGNORE, id=f"{number:020x}", reason=reason)
        with suppress(UsageError):
            state, taken = waive(state, order, "o" * 500, TODAY), taken + 1
    assert 4 < taken == len(state.waivers) < 60
    assert len(remember(state, Hiding.REFERENCE)) < 15_000


def test_short_dismissals_are_counted_too() -> None:
    state = STATE
    for number in range(50):
        state = waive(state, replace(IGNORE, id=f"{number:020x}", reason="x"), "o", TODAY)
    with pytest.raises(UsageError):
        waive(state, replace(IGNORE, id="f" * 20), "o", TODAY)


# GitHub's event


def examples() -> list[dict[str, Any]]:
    path = published("@octokit/webhooks-examples", "7.6.1", "api.github.com/index.json")
    events = json.loads(path.read_text("utf-8"))
    return next(one["examples"] for one in events if one["name"] == "issue_comment")


def on_a_pull_request(**comment: Any) -> dict[str, Any]:
    """The published example of a new comment, as it would be on a pull request."""
    event = next(one for one in examples() if one["action"] == "created")
    event["issue"]["pull_request"] = {"url": "https://api.example.org/pulls/1"}
    event["comment"].update(comment)
    return event


def payload(event: Any) -> bytes:
    return json.dumps(event).encode()


def test_a_comment_on_a_pull_request_is_read() -> None:
    asked = read_comment(payload(on_a_pull_request(body=SAID)))
    assert asked == Asked(
        repository="Codertocat/Hello-World",
        number=1,
        comment_id="492700400",
        body=SAID,
        account="Codertocat",
        insider=True,
        at="2019-05-15T15:20:21Z",
    )
    assert parse(asked.body, TODAY) == IGNORE


def test_no_published_example_is_on_a_pull_request() -> None:
    assert all(isinstance(read_comment(payload(one)), Unheard) for one in examples())


@pytest.mark.parametrize(
    ("association", "insider"),
    [
        ("OWNER", True),
        ("MEMBER", True),
        ("COLLABORATOR", True),
        ("CONTRIBUTOR", False),
        ("FIRST_TIME_CONTRIBUTOR", False),
        ("NONE", False),
        ("owner", False),
    ],
)
def test_who_belongs_to_the_project_is_said_by_github(association: str, insider: bool) -> None:
    asked = read_comment(payload(on_a_pull_request(author_association=association)))
    assert isinstance(asked, Asked)
    assert asked.insider is insider


def _changed(path: str, value: Any) -> bytes:
    event = on_a_pull_request()
    *parents, last = path.split(".")
    holder = event
    for name in parents:
        holder = holder[name]
    holder[last] = value
    return payload(event)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("action", "edited"),
        ("action", "deleted"),
        ("issue.pull_request", None),
        ("issue.number", "1"),
        ("issue.number", -1),
        ("comment.user.type", "Bot"),
        ("comment.user.login", "mallory"),
        ("comment.user.login", "a\n::set-env::"),
        ("comment.user", None),
        ("comment.body", None),
        ("comment.body", "x" * 70_000),
        ("comment.id", True),
        ("sender.login", "somebody-else"),
        ("repository.full_name", "../../x/y"),
        ("repository", []),
    ],
)
def test_an_event_that_is_not_for_us_is_left_with_a_reason(path: str, value: Any) -> None:
    unheard = read_comment(_changed(path, value))
    assert isinstance(unheard, Unheard)
    assert "set-env" not in unheard.reason


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"null",
        b"{",
        b"\xff",
        b"[" * 200_000,
        b" " * (LARGEST_COMMENT_BYTES + 1),
        b'{"a": NaN}',
    ],
)
def test_garbage_is_no_event(content: bytes) -> None:
    assert isinstance(read_comment(content), Unheard)
