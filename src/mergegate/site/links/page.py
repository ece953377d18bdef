"""Read a page as it came from the server: its anchors, and what it says to a visitor."""

from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode

from mergegate.site.links.phrases import says_nothing
from mergegate.site.parsing import harmless

_MOST_ANCHORS = 20_000
_MOST_LETTERS = 20_000
_DATA_SCRIPTS = ("json", "text/template", "text/x-", "importmap", "speculationrules")


@dataclass(frozen=True, slots=True)
class Page:
    """What a page holds."""

    title: str
    heading: str
    """Its first main heading."""
    text: str
    """What a visitor may read, in lower case, shortened."""
    anchors: frozenset[str]
    scripted: bool
    """Whether scripts may add to it."""

    @property
    def says_nothing_is_there(self) -> bool:
        """Whether title or heading say, and say only, that there is no such page."""
        return says_nothing(self.title) or says_nothing(self.heading)


def read_page(html: str) -> Page:
    """The page in ``html``; whatever the text, it has some reading."""
    tree = LexborHTMLParser(harmless(html))
    scripted = any(_runs(script) for script in tree.css("script"))
    anchors = _anchors(tree)
    title = _text(tree.css_first("head > title"))
    heading = _text(tree.css_first("h1"))
    tree.strip_tags(["script", "style", "template", "noscript", "svg"])
    body = tree.body.text(separator=" ") if tree.body else ""
    return Page(title, heading, " ".join(body.lower().split())[:_MOST_LETTERS], anchors, scripted)


def _anchors(tree: LexborHTMLParser) -> frozenset[str]:
    found = set()
    for node in tree.css("[id], a[name]"):
        attributes = node.attributes
        found |= {attributes.get("id"), attributes.get("name") if node.tag == "a" else None}
        if len(found) > _MOST_ANCHORS:
            break
    return frozenset(name for name in found if name)


def _runs(script: LexborNode) -> bool:
    kind = (script.attributes.get("type") or "").lower()
    return not any(data in kind for data in _DATA_SCRIPTS)


def _text(node: LexborNode | None) -> str:
    return " ".join(node.text().split())[:300] if node else ""
