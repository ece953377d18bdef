"""What opened a site is in no report, even when the page repeats it."""

import pytest

from mergegate.model.facts.journey import Fault, PageVisit, ScriptFault
from mergegate.model.site.level import Level
from mergegate.model.site.outcome import Highlight
from mergegate.model.site.veil import veiled
from mergegate.model.site.visit import NONE, Credentials

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
def test_a_value_is_veiled_wherever_it_stands(text: str, shown: str) -> None:
    fault = ScriptFault(fault=Fault.CONSOLE, message=text)
    visit = PageVisit(url=text, final_url="", status=200, faults=(fault,))
    found = veiled(visit, OPENED)
    assert (found.url, found.faults[0].message) == (shown, shown)


def test_what_is_no_text_stays_as_it_is() -> None:
    line = Highlight(level=Level.ERROR, topic="links", title="c00kie-value")
    assert veiled(line, OPENED) == Highlight(level=Level.ERROR, topic="links", title="********")
    assert veiled(line, NONE) is line
