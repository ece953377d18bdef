"""What waits in the queue is what was heard."""

import pytest
from pydantic import ValidationError

from mergegate.forges.hooks import Delivery, Errand, Heard, read
from mergegate.model.change import Provider
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
    waiting = Errand.of("hook_1", found).model_dump_json(exclude_defaults=True)
    again = Errand.model_validate_json(waiting)
    assert (again.hook, again.heard) == ("hook_1", found)


def test_an_unknown_field_is_refused() -> None:
    with pytest.raises(ValidationError):
        Errand.model_validate_json('{"hook": "h", "change": {}, "token": "x"}')


def test_a_delivery_has_no_headers_that_it_was_not_given() -> None:
    assert Delivery({}, b"").header("x-github-event") == ""
