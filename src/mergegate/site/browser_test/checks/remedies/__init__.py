"""What to change, rule by rule: our own words, each with an example to type."""

from collections.abc import Mapping
from types import MappingProxyType

from mergegate.site.browser_test.checks.remedies.aria import ARIA
from mergegate.site.browser_test.checks.remedies.content import CONTENT
from mergegate.site.browser_test.checks.remedies.controls import CONTROLS
from mergegate.site.browser_test.checks.remedies.forms import FORMS
from mergegate.site.browser_test.checks.remedies.images import IMAGES
from mergegate.site.browser_test.checks.remedies.links import LINKS
from mergegate.site.browser_test.checks.remedies.page import PAGE
from mergegate.site.browser_test.checks.remedies.remedy import Remedy
from mergegate.site.browser_test.checks.remedies.scripts import SCRIPTS

__all__ = ["REMEDIES", "Remedy", "remedy"]
REMEDIES: Mapping[str, Remedy] = MappingProxyType(
    {**SCRIPTS, **LINKS, **FORMS, **IMAGES, **PAGE, **CONTENT, **CONTROLS, **ARIA}
)
_UNKNOWN = Remedy(
    "Put the marked elements right",
    "The reference says what the rule asks for and shows examples.",
)


def remedy(rule: str) -> Remedy:
    """Of ``rule``; one that says where to read on for what is not known here."""
    return REMEDIES.get(rule, _UNKNOWN)
