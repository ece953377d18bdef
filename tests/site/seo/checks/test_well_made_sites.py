"""False alarms are the worst sin: on well-made sites nothing is found, or little that is true."""

import pytest

from mergegate.core.severity import Severity
from mergegate.site.seo.checks import hreflang, points
from mergegate.site.seo.facts import Reading, SearchFacts
from tests.site.seo.checks.sites import SITES, Page
from tests.site.seo.checks.well_made import rules, site


def facts(page: Page) -> SearchFacts:
    reading = Reading(language=page.language, language_certainty=0.99)
    return site(page.html, page.url, reading=reading, variants=())


@pytest.mark.parametrize("name", SITES)
def test_a_well_made_site_has_no_points_but_these(name: str) -> None:
    page = SITES[name]
    assert rules(facts(page)) == sorted(page.expected)


@pytest.mark.parametrize("name", SITES)
def test_a_well_made_site_has_no_point_of_severity_high_or_more(name: str) -> None:
    assert [one for one in points(facts(SITES[name])) if one.severity >= Severity.HIGH] == []


def test_the_language_versions_of_a_well_made_site_are_read() -> None:
    page = facts(SITES["Hugo in several languages"])
    tags = [one.tag for one in hreflang.versions(page.document, page.page)]
    assert tags == ["pt-BR", "en", "es-419", "x-default"]
