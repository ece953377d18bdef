"""What each tool is asked with: the request of the service specification, field for field."""

from collections.abc import Mapping, Sequence

from mergegate.core.plans import Tool
from mergegate.remote.host import Order
from mergegate.site.audit.budget import Budget
from mergegate.site.audit.wire import budget as wire


def audit(url: str, budget: Budget | None = None, *, nested: bool = False) -> Order:
    """A website audit, in the shape that is wanted."""
    body: dict[str, object] = {"url": url}
    if budget is not None:
        body["budget"] = wire.shape(budget).model_dump(by_alias=True)
    return Order(Tool.AUDIT, body, {"shape": "nested"} if nested else {})


def browser_test(url: str) -> Order:
    """A browser test."""
    return Order(Tool.BROWSER_TEST, {"url": url})


def security_scan(url: str) -> Order:
    """A security scan."""
    return Order(Tool.SECURITY_SCAN, {"url": url})


def seo(
    url: str, *, keywords: Sequence[str] = (), competitor: str | None = None, render_js: bool
) -> Order:
    """An SEO analysis; ``keywords`` hold no comma."""
    given: Mapping[str, object] = {
        "keyword": ", ".join(keywords),
        "competitorUrl": competitor,
        "renderJs": render_js,
    }
    return Order(Tool.SEO, {"url": url} | {name: it for name, it in given.items() if it})
