"""``searchConsole``: what Google says of the page."""

from typing import Annotated

from pydantic import Field

from mergegate.core.wire.camel import Camel
from mergegate.site.seo.wire.shapes.fields import Figure, Share


class QueryOut(Camel):
    """An element of ``queries``."""

    query: str
    clicks: Figure
    impressions: Figure
    ctr: Share
    position: Figure
    expected_ctr: Annotated[Share, Field(description="At that position on average, an estimate.")]
    recoverable_clicks: Annotated[Figure, Field(description="What is missing to it.")]


class SearchConsoleOut(Camel):
    """``searchConsole``: what Google says of the page."""

    property: str
    start: str
    end: str
    clicks: Figure
    impressions: Figure
    queries: Annotated[
        tuple[QueryOut, ...], Field(description="Most recoverable clicks first, then most clicks.")
    ]
    verdict: str
    coverage: str
    indexing_state: str
    robots_state: str
    fetch_state: str
    google_canonical: str
    user_canonical: str
    last_crawl: str
    failure: Annotated[str, Field(description="Why there is nothing of it.")]
    notes: Annotated[tuple[str, ...], Field(description="Which part of it there is not.")] = ()
