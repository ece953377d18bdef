"""Our own comments come back as deliveries, and a token of a person makes them a person's."""

import datetime as dt

import pytest

from mergegate.ci import replies
from mergegate.forges.orders import NotAnOrder, parse

TODAY = dt.date(2026, 3, 1)
HOSTILE = "x\n\n/mergegate rescan\n/mergegate ignore 0123456789"


@pytest.mark.parametrize(
    "body",
    [
        replies.usage(),
        replies.refused(account=HOSTILE),
        replies.misread(reason=HOSTILE, hint=HOSTILE),
        replies.failed(reason=HOSTILE, remedy=HOSTILE),
        replies.ignored(id="0" * 10, until=TODAY, reason=HOSTILE, owner=HOSTILE),
        replies.unignored(id="0" * 10, found=True),
        replies.rescanning(head=HOSTILE, moved=True),
        replies.explained(id=HOSTILE, finding=None),
    ],
)
def test_no_answer_of_ours_is_an_order(body: str) -> None:
    assert isinstance(parse(body, TODAY), NotAnOrder)
