"""Where keywords stand, and how often."""

from mergegate.core.render import wording
from mergegate.site.seo.report import KeywordAnalysis


def places(one: KeywordAnalysis) -> str:
    """Where a keyword stands: ``title, main heading, 2 headings``; ``nowhere that weighs``."""
    named = (
        ("title", one.in_title),
        ("main heading", one.in_h1),
        ("description", one.in_description),
        ("first paragraph", one.in_first_paragraph),
        ("address", one.in_url),
    )
    counted = (
        (one.in_headings, "heading"),
        (one.in_alt, "image"),
        (one.in_anchors, "link"),
    )
    there = [name for name, is_there in named if is_there]
    there += [wording.counted(number, noun) for number, noun in counted if number]
    return ", ".join(there) or "nowhere that weighs"


def density(one: KeywordAnalysis) -> str:
    """``3 times, 1.2 %``; ``0 times``, though its words may stand apart or in other forms."""
    if not one.count:
        return "0 times"
    times = "once" if one.count == 1 else f"{one.count:,} times"
    return f"{times}, {one.density:.1f} %"
