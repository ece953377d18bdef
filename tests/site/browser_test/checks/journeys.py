"""Journeys made by hand."""

from mergegate.site.browser_test.facts import (
    AxeNode,
    AxeViolation,
    Fault,
    Journey,
    Link,
    LinkAnswer,
    LinkAnswers,
    LinkState,
    PageVisit,
    ScriptFault,
    StackFrame,
)
from mergegate.site.level import Element

HOME = "https://shop.example/"
NOTHING = LinkAnswers(())


def visit(path: str = "/", *, host: str = "https://shop.example", **fields: object) -> PageVisit:
    url = f"{host}{path}"
    given = {"url": url, "final_url": url, "status": 200, **fields}
    return PageVisit(**given)  # type: ignore[arg-type]


def journey(*visits: PageVisit) -> Journey:
    return Journey(start=visits[0].url, visits=visits, found=len(visits))


def thrown(
    message: str = "Uncaught TypeError: cart is undefined",
    *,
    fault: Fault = Fault.UNCAUGHT,
    script: str = f"{HOME}app.js",
    line: int = 3,
    **fields: object,
) -> ScriptFault:
    frames = (StackFrame(script, line, 7, "addToCart"),) if script else ()
    return ScriptFault(fault=fault, message=message, url=script, frames=frames, **fields)  # type: ignore[arg-type]


def unloaded(url: str, resource: str, status: int | None = 404, **fields: object) -> ScriptFault:
    given = {"message": "" if status else "net::ERR_NAME_NOT_RESOLVED", **fields}
    return ScriptFault(
        fault=Fault.REQUEST,
        url=url,
        resource=resource,
        status=status,
        **given,  # type: ignore[arg-type]
    )


def linked(url: str, *, selector: str = "nav > a", label: str = "Prices", **fields: bool) -> Link:
    return Link(url, Element(selector, f'<a href="{url}">', label), **fields)


def answered(url: str, state: LinkState, status: int | None = 404, **fields: object) -> LinkAnswers:
    return LinkAnswers((answer(url, state, status, **fields),))


def answer(url: str, state: LinkState, status: int | None = 404, **fields: object) -> LinkAnswer:
    return LinkAnswer(url=url, state=state, status=status, **fields)  # type: ignore[arg-type]


def broken_rule(
    rule: str, impact: str = "serious", *selectors: str, count: int | None = None
) -> AxeViolation:
    nodes = tuple(
        AxeNode(Element(selector, f"<input class={selector!r}>"), "Fix this")
        for selector in selectors or ("#email",)
    )
    return AxeViolation(
        rule=rule,
        impact=impact,
        help=f"{rule} must be kept",
        help_url=f"https://dequeuniversity.com/rules/axe/4.14/{rule}",
        tags=(),
        nodes=nodes,
        count=len(nodes) if count is None else count,
    )
