"""Everything that is collected on one walk through a document."""

from dataclasses import dataclass, field

from mergegate.site.document.address import Addresses
from mergegate.site.document.bounds import Bounds, Kept
from mergegate.site.document.speech import Speech
from mergegate.site.facts.document import Anchor, Image, Input, JsonLd, Link, Meta, Resource, Script


@dataclass(slots=True)
class OpenForm:
    """A form that may get further fields."""

    action: str
    method: str
    selector: str
    id: str
    inputs: list[Input] = field(default_factory=list)


@dataclass(slots=True)
class OpenAnchor:
    """A link that is not complete yet."""

    begun: int
    """Where its text begins."""
    images: list[int] = field(default_factory=list)
    """Those in it, by their places among the images."""
    names: list[str] = field(default_factory=list)
    """What its pictures are called."""


class Page:
    """The lists that grow."""

    def __init__(self, addresses: Addresses, bounds: Bounds, url: str) -> None:
        self.addresses = addresses
        self.bounds = bounds
        self.url = url
        self.kept = Kept(bounds)
        self.speech = Speech(self.kept)
        self.titles: list[str] = []
        self.title_in_head = True
        self.metas: list[Meta] = []
        self.links: list[Link] = []
        self.anchors: list[Anchor] = []
        self.images: list[Image] = []
        self.scripts: list[Script] = []
        self.forms: list[OpenForm] = []
        self.strays: list[tuple[str, Input]] = []
        """Fields that name their form, by its id."""
        self.resources: list[Resource] = []
        self.json_ld: list[JsonLd] = []
        self.times: list[str] = []
        self.anchor: OpenAnchor | None = None
        self.form: OpenForm | None = None
        self.nodes = self.handlers = self.inline_styles = 0

    def phrase(self, text: str | None, kind: str) -> str:
        """A short text, its white space collapsed."""
        return self.kept.short(text or "", self.bounds.phrase, kind)

    def call(self, written: str | None) -> None:
        """A picture or another part says its name: so is the link or heading called it is in."""
        for open_one, kind in ((self.anchor, "anchors"), (self.speech.heading, "headings")):
            name = self.phrase(written, kind) if open_one else ""
            if open_one and name and name not in open_one.names[-1:]:
                open_one.names.append(name)

    def load(self, written: str, kind: str, selector: str, sandbox: str | None = None) -> None:
        """Keep what a browser is made to load; an empty address makes it load nothing."""
        if written.strip() and self.kept.has_room(self.resources, "resources"):
            url = self.addresses.absolute(written)
            resource = Resource(url=url, kind=kind, sandbox=sandbox, selector=selector)
            self.resources.append(resource)
