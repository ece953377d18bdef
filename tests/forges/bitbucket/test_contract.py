"""The check against Bitbucket's document finds what is wrong."""

from dataclasses import replace
from typing import Any

import pytest

from tests.forges.bitbucket.contract import Exchange, mistakes

COMMIT = f"/repositories/example/shop/commit/{'a1' * 20}"
REPORT: dict[str, Any] = {"type": "report", "report_type": "SECURITY", "result": "PASSED"}
ANNOTATION: dict[str, Any] = {"type": "report_annotation", "annotation_type": "BUG", "line": 1}
PUT = Exchange("PUT", f"{COMMIT}/reports/mergegate", {}, REPORT, 200, REPORT)
POST = replace(PUT, method="POST", path=f"{PUT.path}/annotations", sent=[ANNOTATION], answer=[])
COMMENTS = "/repositories/example/shop/pullrequests/7/comments"
INLINE = {"type": "pullrequest_comment", "inline": {"path": "a", "to": 2, "start_to": 1}}


@pytest.mark.parametrize(
    "exchange", [PUT, POST, Exchange("POST", COMMENTS, {}, INLINE, 201, INLINE)]
)
def test_what_the_document_allows_is_no_mistake(exchange: Exchange) -> None:
    assert mistakes(exchange) == []


@pytest.mark.parametrize(
    "exchange",
    [
        replace(PUT, sent=REPORT | {"report_type": "LINT"}),
        replace(PUT, sent={"title": "no type"}),
        replace(PUT, sent=None),
        replace(PUT, answer=REPORT | {"result": "GREEN"}),
        replace(PUT, query={"verbose": ["1"]}),
        replace(POST, sent=[ANNOTATION] * 101),
        replace(POST, sent=[]),
        replace(POST, sent=[ANNOTATION | {"line": 0}]),
        replace(POST, sent=[ANNOTATION | {"severity": "INFO"}]),
        Exchange("POST", COMMENTS, {}, INLINE | {"inline": {"to": 2}}, 201, None),
    ],
)
def test_what_the_document_forbids_is_a_mistake(exchange: Exchange) -> None:
    assert len(mistakes(exchange)) == 1


def test_an_unknown_operation_is_a_mistake() -> None:
    with pytest.raises(AssertionError, match="no such operation"):
        mistakes(replace(PUT, method="PATCH"))
