"""What waits in the queue is what was heard."""

from dataclasses import replace

import pytest
from pydantic import ValidationError

from mergegate.core.change import Provider
from mergegate.forges.deliveries import Delivery, Heard, ScanRequest
from mergegate.forges.hooks import read
from tests.forges.hooks import saying

DELIVERIES = [
    (Provider.GITHUB, {"x_github_event": "pull_request"}, saying.pull_request()),
    (Provider.GITLAB, {"x_gitlab_event": "Note Hook"}, saying.note()),
    (Provider.BITBUCKET, {"x_event_key": "pullrequest:created"}, saying.bitbucket_pull()),
]


@pytest.mark.parametrize(("provider", "headers", "body"), DELIVERIES)
def test_what_waits_is_what_was_heard(
    provider: Provider, headers: dict[str, str], body: dict[str, object]
) -> None:
    found = read(provider, saying.delivery(body, **headers))
    assert isinstance(found, Heard)
    waiting = ScanRequest.of("hook_1", found).model_dump_json(exclude_defaults=True)
    again = ScanRequest.model_validate_json(waiting)
    assert again.hook == "hook_1"
    of_no_commit = replace(found.change, head=None, base=None, base_branch="")
    assert again.heard == replace(found, change=of_no_commit)


def test_two_deliveries_about_one_change_are_one_errand() -> None:
    first, later = saying.pull_request("opened"), saying.pull_request("synchronize")
    later["pull_request"]["head"]["sha"] = "c" * 40
    errands = set()
    for body in (first, later):
        found = read(Provider.GITHUB, saying.delivery(body, x_github_event="pull_request"))
        assert isinstance(found, Heard)
        errands.add(ScanRequest.of("hook_1", found))
    assert len(errands) == 1


def test_an_unknown_field_is_refused() -> None:
    with pytest.raises(ValidationError):
        ScanRequest.model_validate_json('{"hook": "h", "change": {}, "token": "x"}')


def test_a_delivery_has_no_headers_that_it_was_not_given() -> None:
    assert Delivery({}, b"").header("x-github-event") == ""
