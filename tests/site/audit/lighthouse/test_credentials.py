"""What opens a protected page goes to its own origin, and to nobody else."""

import pytest

from mergegate.core.errors import TargetNotAnalysable
from mergegate.sandbox.visit import Credentials
from tests.site.audit.lighthouse.conftest import Audit
from tests.sites import SECRET, Seen, Sites

NAME, VALUE = SECRET
BOTH = Credentials(headers=(SECRET,), cookies=(SECRET,))
OWN = ("/", "/own.svg", "/away.svg")


def test_a_protected_page_opens_and_no_other_host_nor_the_next_visit_has_the_secret(
    audit: Audit, sites: Sites
) -> None:
    before = len(sites.seen)
    assert audit("protected", credentials=BOTH).run.scores.seo == 100
    seen = sites.seen[before:]
    own = [one for one in seen if one.site == "protected" and one.path in OWN]
    assert {(one.path, *carried(one)) for one in own} == {(path, True, True) for path in OWN}
    strangers = [one for one in seen if one.site == "arrived"]
    assert {one.path for one in strangers} >= {"/icon.svg?direct", "/icon.svg?moved"}
    assert not [one for one in strangers if VALUE in str(one.headers)]
    with pytest.raises(TargetNotAnalysable, match="answered 401"):
        audit("protected")
    after = sites.seen[before + len(seen) :]
    assert "protected" in {one.site for one in after}
    assert not [one for one in after if VALUE in str(one.headers)]


def carried(one: Seen) -> tuple[bool, bool]:
    """Whether the header, and the cookie, came with a request."""
    return one.headers.get(NAME) == VALUE, f"{NAME}={VALUE}" in one.headers.get("cookie", "")
