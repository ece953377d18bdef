"""``findings``, and what is made of them: keywords, score, gaps, suggestions."""

from typing import Annotated, Literal

from pydantic import Field

from mergegate.core.wire.camel import Camel
from mergegate.repo.wire.shapes import Severity
from mergegate.site.seo.wire.shapes.fields import Count, Figure, Theme


class PointOut(Camel):
    """An element of ``findings`` and ``competitorFindings``."""

    id: Annotated[str, Field(description="Equal in every scan of this page, under whatever host.")]
    rule_id: str
    severity: Severity
    category: Theme
    ground: Annotated[
        Literal["documented", "studied", "heuristic"],
        Field(description="What it rests on; `heuristic` ones do not count in the score."),
    ]
    title: str
    message: str
    url: str
    selector: Annotated[str, Field(description="Of its element; empty where it has none.")]
    evidence: str
    remedy: Annotated[str, Field(description="What to change, one sentence.")]
    snippet: Annotated[str, Field(description="The same, ready to paste; may be empty.")]
    references: Annotated[tuple[str, ...], Field(description="What it rests on.")]
    count: Annotated[Count, Field(description="How often it stands on the page.")]


class KeywordOut(Camel):
    """An element of ``keywordAnalyses``."""

    keyword: str
    count: Count
    words: Count
    density: Annotated[Figure, Field(description="Percent of the page's words.")]
    in_title: bool
    in_description: bool
    in_h1: bool
    in_headings: Annotated[Count, Field(description="Headings below the first that hold it.")]
    in_first_paragraph: bool
    in_url: bool
    in_alt: Annotated[Count, Field(description="Images.")]
    in_anchors: Annotated[Count, Field(description="Links.")]
    stuffed: bool
    advice: tuple[str, ...]


class RecommendationOut(Camel):
    """An element of ``recommendations``."""

    title: str
    message: str
    finding_ids: tuple[str, ...]
    gain: Annotated[Count, Field(description="What the score gains.")]


class ProposalOut(Camel):
    """An element of ``proposals``: in nothing but words of the page."""

    kind: Literal["title", "description"]
    text: str
    taken_from: str
    snippet: str


class PassageOut(Camel):
    """An element of ``passages``: text that an answer can quote whole."""

    heading: str
    text: str
    words: Count


class SuggestionsOut(Camel):
    """``aiSuggestions``."""

    summary: str
    summary_source: Literal["template", "model"] = "template"
    recommendations: Annotated[
        tuple[RecommendationOut, ...], Field(description="What gains most comes first.")
    ]
    proposals: tuple[ProposalOut, ...]
    passages: tuple[PassageOut, ...]


class DeductionOut(Camel):
    """An element of ``scoreBreakdown``: what one theme takes off 100."""

    category: Theme
    points: Annotated[Count, Field(description="Before its cap.")]
    counted: Annotated[Count, Field(description="After it.")]


class GapOut(Camel):
    """An element of ``competitorGaps``: what the competitor has and the page has less of."""

    kind: str
    what: str
    ours: str
    theirs: str
