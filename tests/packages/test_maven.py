"""pom.xml: where versions come from, and what hostile ones may not do."""

from pathlib import Path

import pytest

from mergegate.packages.dependencies import Pin, Why
from tests.packages.dependency_tree import fact_of, fixture, gather, package, written

ENTRY = (
    "<dependency><groupId>g</groupId><artifactId>a</artifactId><version>{}</version></dependency>"
)


def project(version: str = "1.0", *, parent: str = "", more: str = "") -> str:
    stated = f"<parent><artifactId>x</artifactId>{parent}</parent>" if parent else ""
    entry = ENTRY.format(version)
    return (
        f"<project>{stated}<artifactId>x</artifactId>{more}"
        f"<dependencies>{entry}</dependencies></project>"
    )


def test_an_upgrade_edits_the_line_that_states_the_version() -> None:
    found = package(fixture("maven"), "com.fasterxml.jackson.core:jackson-databind")
    line = "    <jackson.version>2.13.1</jackson.version>"
    assert found.pin == Pin("pom.xml", 13, line)


def test_what_the_tree_does_not_decide_is_named() -> None:
    told = {one.name: one.why for one in fixture("maven").unresolved}
    assert told == {
        "": Why.PARTIAL,
        "org.springframework:spring-core": Why.INCLUDE,
        "org.example.ranged:ranged": Why.RANGE,
        "org.example.looped:looped": Why.INCLUDE,
    }


def test_parents_in_a_circle_end(tmp_path: Path) -> None:
    circle = "<relativePath>pom.xml</relativePath>"
    (found,) = fact_of(written(tmp_path, pom__xml=project(parent=circle))).packages
    assert (found.name, found.version) == ("g:a", "1.0")


def test_a_long_chain_of_parents_ends(tmp_path: Path) -> None:
    texts = {
        f"m{number}___pom__xml": project(
            "${v}", parent=f"<relativePath>../m{number + 1}/pom.xml</relativePath>"
        )
        for number in range(300)
    }
    properties = "<properties><v>1.0</v></properties>"
    fact = fact_of(written(tmp_path, **texts, m300___pom__xml=project("${v}", more=properties)))
    assert {one.file for one in fact.packages} >= {"m300/pom.xml", "m299/pom.xml"}
    assert "m0/pom.xml" not in {one.file for one in fact.packages}


def test_a_parent_of_another_name_is_none(tmp_path: Path) -> None:
    child = project("${v}", parent="<version>1</version>").replace(">x<", ">y<", 1)
    above = project(more="<properties><v>6.6.6</v></properties>")
    fact = fact_of(written(tmp_path, pom__xml=above, sub___pom__xml=child))
    assert [(one.file, one.version) for one in fact.packages] == [("pom.xml", "1.0")]


def test_properties_that_double_end(tmp_path: Path) -> None:
    doubling = "".join(f"<p{n}>${{p{n + 1}}}${{p{n + 1}}}</p{n}>" for n in range(60))
    text = project("${p0}", more=f"<properties>{doubling}</properties>")
    fact = fact_of(written(tmp_path, pom__xml=text))
    assert fact.packages == ()
    assert all(len(one.text) <= 200 for one in fact.unresolved)


@pytest.mark.parametrize(
    "text", ["<html/>", "<project>", '<!DOCTYPE p [<!ENTITY a "b">]><project>&a;</project>']
)
def test_what_is_no_pom_is_a_limit(text: str, tmp_path: Path) -> None:
    assert [one.path for one in gather(written(tmp_path, pom__xml=text)).limited] == ["pom.xml"]
