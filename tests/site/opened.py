"""Credentials that open a site, and pages that repeat them."""

from mergegate.sandbox.visit import Credentials

HEADER = "s3cr3t/t0ken+91"
COOKIE = "c00kie-value-52"
OPENED = Credentials(
    headers=(("Authorization", f"Bearer {HEADER}"),), cookies=(("session", COOKIE),)
)
ECHO = f"you sent {HEADER} and {COOKIE}"
QUERY = "?t=s3cr3t%2Ft0ken%2B91&s=c00kie-value-52"
"""Of an address that holds both."""
SHOWN = "you sent ******** and ********"


def told(report: object) -> list[str]:
    """The spellings of both values that ``report`` holds anywhere."""
    text = repr(report)
    return [one for one in (HEADER, "s3cr3t%2Ft0ken%2B91", COOKIE) if one in text]
