"""What opens a protected page goes to its own origin, and to nobody else."""

import pytest

from mergegate.model.site.visit import Credentials
from tests.gather.lighthouse.conftest import Audit
from tests.sites import SECRET, Sites

HEADER = Credentials(headers=(SECRET,))
COOKIE = Credentials(cookies=(SECRET,))


@pytest.mark.parametrize("credentials", [HEADER, COOKIE], ids=["header", "cookie"])
def test_a_protected_page_opens_and_no_other_host_learns_the_secret(
    audit: Audit, sites: Sites, credentials: Credentials
) -> None:
    sites.seen.clear()
    run = audit("protected", credentials=credentials).run
    assert run.scores.seo == 100
    own = [one for one in sites.requests("protected") if one.path in {"/", "/own.svg", "/away.svg"}]
    assert all(SECRET[1] in str(one.headers) for one in own)
    strangers = sites.requests("arrived")
    assert {one.path for one in strangers} >= {"/icon.svg?direct", "/icon.svg?moved"}
    assert not [one for one in strangers if SECRET[1] in str(one.headers)]


@pytest.mark.slow
def test_the_next_visit_starts_without_them(audit: Audit, sites: Sites) -> None:
    sites.seen.clear()
    audit("fast")
    assert not [one for one in sites.seen if SECRET[1] in str(one.headers)]
