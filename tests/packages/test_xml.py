"""Hostile XML: what it may not do, and that lines are told."""

import pytest

from mergegate.packages.readers.documents import Unreadable
from mergegate.packages.readers.xml_document import xml_document

LAUGHS = """<?xml version="1.0"?>
<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<project>&b;</project>"""
OUTSIDE = """<!DOCTYPE project SYSTEM "file:///etc/passwd"><project/>"""
HOSTILE = {
    "entities": LAUGHS,
    "a document type from outside": OUTSIDE,
    "depth": "<a>" * 500 + "</a>" * 500,
    "no end": "<project><dependencies>",
    "nothing": "",
    "an unknown entity": "<project>&x;</project>",
    "two roots": "<a/><b/>",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_xml_is_not_read(text: str) -> None:
    with pytest.raises(Unreadable):
        xml_document(text)


def test_elements_have_their_place_and_no_namespace() -> None:
    text = """<?xml version="1.0" encoding="ISO-8859-1"?>
<project xmlns="urn:example">
  <name> caf\u00e9 </name>
  <parts><part id="1"/><part id="2">two</part></parts>
</project>"""
    root = xml_document(text)
    assert (root.name, root.first("name"), root.first("parts", "gone")) == (
        "project",
        "caf\u00e9",
        "",
    )
    told = [(one.line, one.attributes["id"], one.text) for one in root.all("parts", "part")]
    assert told == [(4, "1", ""), (4, "2", "two")]
    assert [one.text for one in root.walk("part")] == ["", "two"]
