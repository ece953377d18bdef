"""Links that lead nowhere."""

from collections.abc import Mapping
from types import MappingProxyType

from mergegate.site.browser_test.checks.remedies.remedy import Remedy

LINKS: Mapping[str, Remedy] = MappingProxyType(
    {
        "dead-link": Remedy(
            "Mend the links that lead nowhere",
            "Link what took the page's place, redirect the old address to it, or remove the link.",
        ),
        "dead-anchor": Remedy(
            "Mend the links to places that are not on the page",
            'Give the place that is meant the name, as in `<h2 id="prices">` for `#prices`, or '
            "correct the link.",
        ),
        "soft-404": Remedy(
            "Let missing pages answer 404",
            "The address says in words that nothing is there, and 200 in its status: correct the "
            "link, and let the server answer 404 or 410.",
        ),
        "flaky-link": Remedy(
            "Look at links that answer now and then",
            "It failed now and may work later: open it; if it keeps failing, correct or remove it.",
        ),
        "outside-links-not-checked": Remedy(
            "Check the links to other sites where those can be reached",
            "The machine of the scan needs a name service and a way to the internet. Nothing is "
            "known of these links until then: they may be well. "
            "`mergegate browser-test --no-external-links` leaves them out.",
        ),
    }
)
