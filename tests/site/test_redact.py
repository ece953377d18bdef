"""What opened a site is in no report, even when the page repeats it."""

import pytest

from mergegate.sandbox.visit import NONE, Credentials
from mergegate.site.browser_test.facts import Fault, PageVisit, ScriptFault
from mergegate.site.deployment.outcome import Highlight
from mergegate.site.level import Level
from mergegate.site.report import redact

OPENED = Credentials(
    headers=(("Authorization", "Bearer s3cr3t/t0ken+"), ("X-Theme", "dark")),
    cookies=(("session", "c00kie-value"),),
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("you sent Bearer s3cr3t/t0ken+", "you sent ********"),
        ("token is s3cr3t/t0ken+!", "token is ********!"),
        ("https://example.org/?t=s3cr3t%2Ft0ken%2B", "https://example.org/?t=********"),
        ("session=c00kie-value; dark", "session=********; dark"),
        ("nothing of it", "nothing of it"),
    ],
)
def test_a_value_is_redacted_wherever_it_stands(text: str, shown: str) -> None:
    fault = ScriptFault(fault=Fault.CONSOLE, message=text)
    visit = PageVisit(url=text, final_url="", status=200, faults=(fault,))
    found = redact(visit, OPENED)
    assert (found.url, found.faults[0].message) == (shown, shown)


BASIC = Credentials(headers=(("Authorization", "Basic c2hvcDpvcGVuICYgc2hvdw=="),))
"""shop:open & show"""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Basic c2hvcDpvcGVuICYgc2hvdw==", "********"),
        ("shop:open & show", "********"),
        ("no user shop with open & show", "no user shop with ********"),
        ("?password=open%20%26%20show", "?password=********"),
        ("?password=open+%26+show", "?password=********"),
        ('<b title="open &amp; show">', '<b title="********">'),
        ("shop is open", "shop is open"),
    ],
)
def test_a_password_is_redacted_in_each_of_its_spellings(text: str, shown: str) -> None:
    assert redact(Highlight(level=Level.ERROR, topic="", title=text), BASIC).title == shown


def test_what_is_no_base64_is_redacted_as_it_was_sent() -> None:
    odd = Credentials(headers=(("Authorization", "Basic öffne dich"),))
    line = Highlight(level=Level.ERROR, topic="", title="öffne dich, Basic")
    assert redact(line, odd).title == "********, Basic"


def test_a_cookie_is_redacted_decoded_as_well() -> None:
    opened = Credentials(cookies=(("session", "a%3Ab%3Ac%3Ad"),))
    line = Highlight(level=Level.ERROR, topic="", title="hello a:b:c:d")
    assert redact(line, opened).title == "hello ********"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("session=c00kie…", "session=********…"),
        ("session=c00kie-valu…", "session=********…"),
        ("session=c00ki…", "session=c00ki…"),
        ("session=c00kie", "session=c00kie"),
        ("c00kie is no secret…", "c00kie is no secret…"),
    ],
)
def test_a_value_that_was_cut_short_is_redacted_too(text: str, shown: str) -> None:
    assert redact(Highlight(level=Level.ERROR, topic="", title=text), OPENED).title == shown


def test_what_is_no_text_stays_as_it_is() -> None:
    line = Highlight(level=Level.ERROR, topic="links", title="c00kie-value")
    assert redact(line, OPENED) == Highlight(level=Level.ERROR, topic="links", title="********")
    assert redact(line, NONE) is line
