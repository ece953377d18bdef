"""What to change, rule by rule: our own words, each with an example to type."""

from collections.abc import Mapping
from types import MappingProxyType

from mergegate.checks.browser_test.remedies.aria import ARIA
from mergegate.checks.browser_test.remedies.content import CONTENT
from mergegate.checks.browser_test.remedies.controls import CONTROLS
from mergegate.checks.browser_test.remedies.forms import FORMS
from mergegate.checks.browser_test.remedies.images import IMAGES
from mergegate.checks.browser_test.remedies.links import LINKS
from mergegate.checks.browser_test.remedies.page import PAGE
from mergegate.checks.browser_test.remedies.remedy import Remedy
from mergegate.checks.browser_test.remedies.scripts import SCRIPTS

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
