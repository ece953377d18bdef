"""``site`` of a repository scan's result → what a change's site came to.

What another machine sends is data: its verdict is drawn anew, by the rules that stand beside it.
"""

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

from mergegate.core.wire.camel import Camel
from mergegate.site.deployment.outcome import SiteOutcome, judged
from mergegate.site.deployment.wire import SiteOut

_OUTCOME = TypeAdapter(SiteOutcome)


class _Held(Camel):
    """What holds it, so that a mistake is named by its whole path."""

    site: SiteOut


def read_section(given: Mapping[str, Any]) -> SiteOutcome:
    """The outcome that ``given`` tells of, its verdict drawn anew; raises ValidationError."""
    held = _Held.model_validate({"site": given}, by_alias=True, by_name=False)
    return judged(_OUTCOME.validate_python(held.site.model_dump(exclude={"verdict"})))
